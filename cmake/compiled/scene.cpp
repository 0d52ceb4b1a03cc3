// Scenes, and the page that plays one.

#include <dalembert/io/detail/scene_members.hpp>
#include <dalembert/io/detail/scene_shapes_members.hpp>
#include <dalembert/io/detail/viewer_members.hpp>
