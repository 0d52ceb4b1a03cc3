#!/usr/bin/env python3
"""Opens pages that studies have written in a browser without a screen, and checks what they show against the files that the same runs wrote.

    check_viewer.py FOLDER

In FOLDER there are the results of the studies rolling_rods, woven_net, rolling_ball, chaplygin_sleigh and contact_strings, one folder
each. Every check prints what it measured. Pictures of the pages are left in FOLDER/pictures.
"""

import argparse
import base64
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
import xml.etree.ElementTree

import numpy as np
from PIL import Image
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

WIDTH, HEIGHT = 1280, 800
FRAME_LIMIT = 100.0  # [ms] for twelve rods of a hundred elements, drawn by the processor alone
SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

failures = []


def check(holds, text):
    """Say what was measured, and remember if it is not as it should be."""
    print(("  ok      " if holds else "  FAILED  ") + text, flush=True)
    if not holds:
        failures.append(text)
    return bool(holds)


# ---- the browser -------------------------------------------------------------------------------------------------------


class Page:
    """A page in a browser of its own."""

    def __init__(self, path, hash="", flags=SOFTWARE, ready=True):
        options = Options()
        for flag in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", *flags]:
            options.add_argument(flag)
        options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser") or ""
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.path = path
        self.resize(WIDTH, HEIGHT)
        self.open(hash, ready)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, hash="", ready=True):
        self.driver.get("about:blank")
        self.driver.get(hash if hash.startswith("file:") else self.path.resolve().as_uri() + hash)
        if ready:
            said = self.driver.execute_async_script("const end = arguments[0]; dalembertView.ready.then(() => end(''), (error) => end(String(error)))")
            if said:
                raise RuntimeError(f"{self.path}: {said}")

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def view(self, what, *arguments):
        """A member of dalembertView, called if it is a function."""
        return self.js("const v = dalembertView[arguments[0]]; return typeof v === 'function' ? v(...arguments[1]) : v", what, arguments)

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        time.sleep(0.3)

    def prefer(self, **features):
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": listed})

    def box(self, selector="#canvas"):
        """left, top, width and height of an element [px]."""
        return self.js("const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.left, b.top, b.width, b.height]", selector)

    def picture(self, selector=None):
        """What the screen shows of an element, as an array of red, green and blue."""
        self.js("return dalembertView.drawnFrame && document.querySelector('#frame').clientHeight && dalembertView.drawnFrame()")
        time.sleep(0.1)  # the browser puts the canvas onto the page
        request = {"format": "png"}
        if selector:
            left, top, width, height = self.box(selector)
            request["clip"] = {"x": left, "y": top, "width": width, "height": height, "scale": 1}
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", request)["data"]
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")).astype(float)

    def scene(self):
        """The picture of the scene without what lies over it, and without round corners."""
        self.js("""for (const id of ['legend', 'scales', 'beyond', 'inset']) document.getElementById(id).style.visibility = 'hidden';
          document.getElementById('frame').style.borderRadius = 0; document.activeElement.blur()""")
        picture = self.picture("#canvas")
        self.js("""for (const id of ['legend', 'scales', 'beyond', 'inset']) document.getElementById(id).style.visibility = '';
          document.getElementById('frame').style.borderRadius = ''""")
        return picture

    def only(self, *names, parts=()):
        """Show these shapes alone, with what is named of 'arrow' and 'path'."""
        self.view("show", False)
        for part in ("arrow", "path"):
            for name in names:
                self.view("show", part in parts, name, part)
        for name in names:
            self.view("show", True, name)

    def all(self):
        self.view("show", True)
        for part in ("arrow", "path"):
            self.js("for (const { name } of dalembertView.shapes) dalembertView.show(true, name, arguments[0])", part)

    def key(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def wait(self, condition, seconds=5):
        end = time.time() + seconds
        while time.time() < end:
            if self.js("return " + condition):
                return True
            time.sleep(0.02)
        return False

    def complaints(self):
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


# ---- what runs have written --------------------------------------------------------------------------------------------


def table(path):
    """The columns of a CSV file."""
    with open(path, newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return dict(zip(rows[0], np.array(rows[1:], dtype=float).T))


def points_of_vtp(path, array=None):
    """The points of a VTK file, or vectors at them."""
    element = xml.etree.ElementTree.parse(path).find(f".//PointData/DataArray[@Name='{array}']" if array else ".//Points/DataArray")
    return np.frombuffer(base64.b64decode(element.text)[8:], dtype="<f8").reshape(-1, 3)


def series(path):
    """time → file of a ParaView series."""
    found = xml.etree.ElementTree.parse(path).findall(".//DataSet")
    return {float(one.get("timestep")): path.parent / one.get("file") for one in found}


def common_times(page, times, count=3, tolerance=1e-9):
    """Times of the page's frames that are also among others, spread over the run."""
    times = np.asarray(sorted(times))
    both = [t for t in page.view("times") if np.abs(times - t).min() < tolerance]
    return [both[round(share * (len(both) - 1))] for share in np.linspace(0.05, 0.9, count)]


def row_at(columns, time):
    return int(np.abs(columns["t"] - time).argmin())


class Eye:
    """The camera again: where a place in space is on the canvas, from the angles, the extent and the target that the page states."""

    def __init__(self, page):
        scene = json.loads(page.js("return document.getElementById('scene').textContent"))
        state = page.view("camera")
        self.flat = scene["flat"]
        up = np.array([0, 0, 1.0] if self.flat else scene["up"])
        side = np.array([1.0, 0, 0]) if abs(up[0]) <= 0.9 else np.array([0, 1.0, 0])
        side -= side @ up * up
        side /= np.linalg.norm(side)
        away = np.cross(up, side)
        yaw, pitch = math.radians(state["yaw"]), math.radians(state["pitch"])
        ahead = math.cos(yaw) * away - math.sin(yaw) * side
        self.right = math.cos(yaw) * side + math.sin(yaw) * away
        self.forward = math.cos(pitch) * ahead - math.sin(pitch) * up
        self.above = math.cos(pitch) * up + math.sin(pitch) * ahead
        self.target = np.array(state["target"])
        _, _, self.width, self.height = page.box()
        self.pixel = state["extent"] / min(self.width, self.height)
        self.distance = state["extent"] / 2 / math.tan(math.radians(13))

    def __call__(self, place):
        away = np.asarray(place, dtype=float) - self.target
        scale = 1 if self.flat else self.distance / (self.distance + away @ self.forward)
        return np.array([self.width / 2 + scale * (away @ self.right) / self.pixel, self.height / 2 - scale * (away @ self.above) / self.pixel])


def centroid(picture, empty):
    """The middle of what differs between two pictures [px], and how many pixels do."""
    weight = np.abs(picture - empty).sum(axis=2)
    weight[weight < 12] = 0
    if not weight.any():
        return np.array([math.nan, math.nan]), 0
    y, x = np.mgrid[0 : weight.shape[0], 0 : weight.shape[1]] + 0.5
    return np.array([(x * weight).sum(), (y * weight).sum()]) / weight.sum(), int((weight > 0).sum())


# ---- checks ------------------------------------------------------------------------------------------------------------


def check_points(page, name, places):
    """A point, drawn alone, lies where the run's own files have it: places is time → x, y, z [m]."""
    page.view("pause")
    page.only()
    empty = page.scene()
    page.only(name)
    worst, moved, before, fewest = 0.0, 0.0, None, math.inf
    for at, place in places.items():
        page.view("seek", at)
        seen, pixels = centroid(page.scene(), empty)
        expected = Eye(page)(place)
        fewest = min(fewest, pixels)
        worst = max(worst, float(np.abs(seen - expected).max()) if pixels else math.inf)
        if before is not None:
            moved = max(moved, float(np.linalg.norm(seen - before)))
        before = seen
    page.all()
    check(worst < 2, f"{name} alone at {len(places)} times: within {worst:.2f} px of where the run's file has it ({fewest} pixels or more, {moved:.0f} px apart)")


def check_tube(page, name, nodes):
    """A rod or a string, drawn alone, covers its centreline: nodes is time → places [m]."""
    page.only()
    empty = page.scene()
    page.only(name)
    least, pictures = 1.0, []
    for at, places in nodes.items():
        page.view("seek", at)
        picture = page.scene()
        pictures.append(picture)
        differs = np.abs(picture - empty).sum(axis=2) > 12
        eye, hits, inside = Eye(page), 0, 0
        for place in places[1:-1]:
            x, y = eye(place)
            if 1 < x < eye.width - 1 and 1 < y < eye.height - 1:
                inside += 1
                hits += bool(differs[int(y), int(x)])
        least = min(least, hits / max(inside, 1)) if inside > len(places) / 2 else 0
    page.all()
    changed = min(int((np.abs(a - b).sum(axis=2) > 30).sum()) for a, b in zip(pictures, pictures[1:]))
    check(least >= 0.99, f"{name} alone: {100 * least:.1f} % of the nodes in the run's files are covered by it")
    check(changed > 50, f"{name} moves: {changed} pixels or more change from one time to the next")


def check_body(page, name, places, tolerance):
    """The middle of a body's picture follows its place: places is time → x, y, z [m] of what is its middle."""
    page.only()
    empty = page.scene()
    page.only(name)
    offsets, seen, pictures = [], [], []
    for at, place in places.items():
        page.view("seek", at)
        pictures.append(page.scene())
        found, _ = centroid((np.abs(pictures[-1] - empty).sum(axis=2, keepdims=True) > 40) * 255.0, np.zeros_like(empty[:, :, :1]))
        offsets.append(found - Eye(page)(place))
        seen.append(found)
    page.all()
    apart = float(np.abs(np.diff(seen, axis=0)).max())
    worst = float(np.abs(offsets).max())
    check(worst < tolerance, f"{name}: the middle of its picture is within {worst:.2f} px of its place in the run's file (limit {tolerance:g}), {apart:.0f} px apart")


def check_stripes(page, name, sections):
    """A rod, drawn alone, shows the stripe that its cross-sections turn to the eye: sections is time → places, first and second axes."""
    page.only(name)
    right, count = 0, 0
    for at, (places, first, second) in sections.items():
        page.view("seek", at)
        # from nearby, so that a stripe is some pixels wide
        page.js("dalembertView.camera = { extent: arguments[0], target: arguments[1] }", float(np.ptp(places, axis=0).max() / 4), list(places[len(places) // 2]))
        picture, eye = page.scene(), Eye(page)
        for place, e1, e2 in zip(places[1:-1], first[1:-1], second[1:-1]):
            toward = -eye.forward if eye.flat else eye.target - eye.distance * eye.forward - place
            stripe = math.sin(3 * math.atan2(toward @ e2, toward @ e1)) - 0.2
            x, y = eye(place)
            if abs(stripe) < 0.5 or not (1 < x < eye.width - 1 and 1 < y < eye.height - 1):
                continue
            colour = picture[int(y), int(x)]
            pale = colour.max() - colour.min() < 0.55 * colour.max()
            right += bool(pale == (stripe > 0))
            count += 1
    page.all()
    page.key("0")
    check(count > 30 and right >= 0.95 * count, f"{name} alone: {right} of {count} sections show the eye the stripe that the rotations in the run's VTK files say")


def check_turning(page, name, at, later):
    """A striped body shows that it turns: what it covers at two times changes there, much more than by its shade."""
    page.only()
    empty = page.scene()
    page.only(name)
    pictures = []
    for when in (at, later):
        page.view("seek", when)
        pictures.append(page.scene())
    page.all()
    masks = [np.abs(picture - empty).sum(axis=2) > 40 for picture in pictures]
    # laid over each other, so that it is not the way that it went that is seen
    (y0, x0), (y1, x1) = (np.round([row.mean() for row in np.nonzero(mask)]).astype(int) for mask in masks)
    shift = (y0 - y1, x0 - x1)
    pictures[1], masks[1] = np.roll(pictures[1], shift, axis=(0, 1)), np.roll(masks[1], shift, axis=(0, 1))
    both = masks[0] & masks[1]
    changed = int((np.abs(pictures[0] - pictures[1]).sum(axis=2) > 100)[both].sum())
    check(changed > 0.1 * both.sum() > 1, f"{name} turns between {at:g} s and {later:g} s: {changed} of its {int(both.sum())} pixels change")


def check_first_view(page):
    """All that moves is within the picture, and fills it."""
    page.key("0")
    times = page.view("times")
    page.view("seek", times[0])
    page.view("show", False)
    empty = page.scene()
    page.all()
    page.js("for (const { name, kind } of dalembertView.shapes) if (kind === 'plane') dalembertView.show(false, name); else dalembertView.show(false, name, 'arrow')")
    seen = np.zeros(empty.shape[:2], bool)
    for share in np.linspace(0, 1, 6):
        page.view("seek", times[round(share * (len(times) - 1))])
        seen |= np.abs(page.scene() - empty).sum(axis=2) > 12
    page.all()
    y, x = np.nonzero(seen)
    height, width = seen.shape
    across, along = (x.max() - x.min()) / width, (y.max() - y.min()) / height
    edge = min(x.min(), y.min(), width - 1 - x.max(), height - 1 - y.max())
    check(max(across, along) > 0.7 and edge >= 1, f"the first view: what is drawn spans {100 * across:.0f} % by {100 * along:.0f} % of the picture, {edge} px from its rim")


def check_keys(page):
    times = page.view("times")
    view = page.view

    def camera():
        return view("camera")

    view("pause")
    view("seek", times[5])
    page.key(Keys.ARROW_RIGHT)
    forward = view("time")
    page.key(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    check(forward == times[6] and view("time") == times[4], f"→ and ← go by one frame: {forward:g} s, {view('time'):g} s")
    page.key(Keys.END)
    end = view("time")
    page.key(Keys.HOME)
    check((view("time"), end) == (times[0], times[-1]), f"Home and End: {view('time'):g} s, {end:g} s")
    page.key(" ")
    playing = page.wait("dalembertView.playing && dalembertView.time > " + repr(times[1]))
    page.key(" ")
    check(playing and not view("playing"), f"space plays and pauses, at {view('time'):.4g} s")
    speed = view("speed")
    page.key("]")
    faster = view("speed")
    page.key("[", "[")
    check(view("speed") < speed < faster, f"[ and ] change the speed: {view('speed'):g} < {speed:g} < {faster:g}")
    page.key("]")
    loop = view("loop")
    page.key("o")
    check(view("loop") != loop, "O switches the loop")
    page.key("o")
    for key, name, sign in (("a", "yaw", -1), ("d", "yaw", 1), ("w", "pitch", 1), ("s", "pitch", -1)):
        page.key("0", "s", "s")
        before = camera()
        page.key(key)
        change = camera()[name] - before[name]
        check(sign * change > 1, f"{key.upper()} turns the view: {name} by {change:+.0f}°")
    for key, name, sign in ((Keys.ARROW_LEFT, "yaw", -1), (Keys.ARROW_UP, "pitch", 1), (Keys.ARROW_RIGHT, "yaw", 1), (Keys.ARROW_DOWN, "pitch", -1)):
        page.key("0", "s", "s")
        before = camera()
        ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()
        change = camera()[name] - before[name]
        check(sign * change > 1, f"Shift and an arrow turn the view: {name} by {change:+.0f}°")
    page.key("0")
    first = camera()
    page.key("+")
    closer = camera()["extent"]
    page.key("-", "-")
    check(closer < first["extent"] < camera()["extent"], f"+ and − go closer and farther: {closer:.3g} < {first['extent']:.3g} < {camera()['extent']:.3g} m")
    page.key("0")
    check(camera() == first, "0 brings the first view back")
    page.key("?")
    open_ = not page.js("return document.getElementById('help').hidden")
    page.key(Keys.ESCAPE)
    check(open_ and page.js("return document.getElementById('help').hidden"), "? opens the help, Escape closes it")
    theme = page.js("return document.documentElement.dataset.theme")
    page.key("t")
    check(page.js("return document.documentElement.dataset.theme") != theme, "T switches light and dark")
    page.key("t")


def check_mouse(page):
    canvas = page.driver.find_element("css selector", "#canvas")
    page.view("pause")
    page.key("0")
    first = page.view("camera")
    target = page.view("project", first["target"])
    ActionChains(page.driver).move_to_element(canvas).click_and_hold().move_by_offset(80, 40).release().perform()
    turned = page.view("camera")
    # in a view from straight above the pitch is at its end
    check(abs(turned["yaw"] - first["yaw"] + 28) < 1 and (turned["pitch"] > first["pitch"] + 10 or first["pitch"] > 80), f"a drag by 80, 40 px turns the view: yaw by {turned['yaw'] - first['yaw']:+.0f}°, pitch by {turned['pitch'] - first['pitch']:+.0f}°")
    page.key("0")
    ActionChains(page.driver).move_to_element(canvas).key_down(Keys.SHIFT).click_and_hold().move_by_offset(80, 40).release().key_up(Keys.SHIFT).perform()
    moved = np.subtract(page.view("project", first["target"]), target)
    check(np.abs(moved - [80, 40]).max() < 1.5, f"a drag with Shift by 80, 40 px moves what is shown: by {moved[0]:.1f}, {moved[1]:.1f} px")
    page.key("0")
    left, top, width, height = page.box()
    place = [left + width * 0.7, top + height * 0.4]
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": place[0], "y": place[1], "deltaX": 0, "deltaY": -240})
    page.wait(f"dalembertView.camera.extent < {0.9 * first['extent']!r}")
    closer = page.view("camera")["extent"]
    check(closer < 0.9 * first["extent"], f"the wheel comes closer: {first['extent']:.3g} m → {closer:.3g} m across")
    ActionChains(page.driver).double_click(canvas).perform()
    check(page.view("camera") == first, "a double click brings the first view back")


def check_touch(page):
    page.view("pause")
    page.key("0")
    first = page.view("camera")
    left, top, width, height = page.box()
    x, y = left + width / 2, top + height / 2

    def touch(kind, *places):
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(places)]})

    touch("touchStart", (x, y))
    touch("touchMove", (x + 60, y))
    touch("touchEnd")
    page.wait(f"Math.abs(dalembertView.camera.yaw - {first['yaw']!r}) > 5")
    turned = page.view("camera")["yaw"] - first["yaw"]
    page.key("0")
    touch("touchStart", (x - 40, y), (x + 40, y))
    touch("touchMove", (x - 80, y), (x + 80, y))
    touch("touchEnd")
    page.wait(f"dalembertView.camera.extent < {0.7 * first['extent']!r}")
    pinched = first["extent"] / page.view("camera")["extent"]
    page.key("0")
    check(abs(turned + 21) < 3 and 1.7 < pinched < 2.3, f"one finger turns by {turned:+.0f}°, two that go to twice their distance come closer by {pinched:.2f}")


def check_slider_and_panels(page):
    times = page.view("times")
    left, top, width, height = page.box("#slider")
    ActionChains(page.driver).move_to_element(page.driver.find_element("css selector", "#slider")).click().perform()
    middle = (times[0] + times[-1]) / 2
    check(abs(page.view("time") - middle) < 0.02 * (times[-1] - times[0]), f"a click in the middle of the slider: {page.view('time'):g} s of {times[-1]:g} s")
    # the cursor of a panel is where the time is on the axis; a click goes there
    plot = page.driver.find_element("css selector", ".plot")
    page.js("arguments[0].scrollIntoView({block: 'center'})", plot)
    left, top, width, height = page.box(".plot")
    share = (60 + 0.3 * (width - 80)) / width
    ActionChains(page.driver).move_to_element_with_offset(plot, int(width * share - width / 2), 0).click().perform()
    cursor = page.box(".cursor")[0] - left
    check(abs(cursor - int(width * share)) < 2, f"a click in a panel brings its cursor there: {cursor:.1f} px for {width * share:.1f} px, t = {page.view('time'):g} s")
    page.js("window.scrollTo(0, 0)")


def check_panel_values(page, columns, of_panel, limit):
    """The numbers beneath a panel are those of the run's CSV file: of_panel is the name of a key → column."""
    page.view("pause")
    worst, count = 0.0, 0
    shown_times = columns["t"]
    for at in shown_times[np.linspace(0, len(shown_times) * limit - 1, 7).astype(int)]:
        page.view("seek", float(at))
        for name, column in of_panel.items():
            text = page.js("return [...document.querySelectorAll('.keys button')].find((key) => key.childNodes[1].textContent === arguments[0]).querySelector('output').textContent", name)
            plain = text.replace("−", "-").replace("·10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
            true = column[row_at(columns, at)]
            shown = float(re.sub(r"^10(?=[-\d])", "1e", plain) if "⁻" in text and "·" not in text else plain)
            worst = max(worst, abs(shown - true) / max(abs(true), 1e-12))
            count += 1
    check(worst < 6e-4, f"{count} numbers beneath the panels ({', '.join(of_panel)}) are those of the CSV file: relative difference {worst:.1e}")


def check_sizes(page, name, pictures):
    for width, height in ((400, 800), (1600, 900), (WIDTH, HEIGHT)):
        page.resize(width, height)
        page.wait("document.getElementById('canvas').clientWidth === document.getElementById('canvas').width")
        scroll, inner = page.js("return [document.documentElement.scrollWidth, window.innerWidth]")
        _, _, w, h = page.box()
        backing = page.js("const c = document.getElementById('canvas'); return [c.width, c.height]")
        Image.fromarray(page.picture().astype(np.uint8)).save(pictures / f"{name}_{width}.png")
        check(scroll <= inner and np.abs(np.subtract(backing, [w, h])).max() <= 1 and w > 0.45 * min(inner, 1100), f"{width} px wide: nothing sticks out ({scroll} of {inner} px), the canvas is {w:.0f} × {h:.0f} and has as many pixels")


def check_themes(page, name, pictures):
    found = {}
    for theme in ("dark", "light"):
        page.prefer(prefers_color_scheme=theme)
        page.wait(f"document.documentElement.dataset.theme === '{theme}'")
        picture = page.picture()
        Image.fromarray(picture.astype(np.uint8)).save(pictures / f"{name}_{theme}.png")
        left, top, width, height = (int(v) for v in page.box())
        found[theme] = (np.median(picture), np.median(picture[top + 2 : top + height - 2, left + 2 : left + width - 2]))
    text = ", ".join(f"{theme}: page {a:.0f}, scene {b:.0f}" for theme, (a, b) in found.items())
    check(max(found["dark"]) < 60 and min(found["light"]) > 200, f"the page follows the system's light and dark (median of the colours of 255): {text}")
    page.view("setTheme", "dark")
    check(np.median(page.scene()) < 60, "the button's choice goes before the system's")
    page.view("setTheme", "light")


def check_address(page):
    """A link holds what is seen: opened again it shows the same picture."""
    times = page.view("times")
    page.view("pause")
    page.view("seek", 0.37 * times[-1] + 0.63 * times[0])
    page.key("d", "d", "w", "+", "+", "]", "i", "c")
    said = ("time", "speed", "camera", "playing", "loop", "inset", "tint")
    state = [page.view(what) for what in said]
    picture = page.scene()
    page.driver.find_element("css selector", "#link").click()
    hash = page.js("return location.hash")
    page.open(hash)
    again = [page.view(what) for what in said]
    difference = np.abs(page.scene() - picture).max()
    check(state == again and difference <= 2 and state[5] and state[6] == "curvature", f"the link {hash[:60]}… opened: the same time, speed, view, inset and colours, pictures differ by {difference:.0f} of 255")
    page.open("#t=nonsense&speed=-1&yaw=x&at=1,2&extent=0&inset=nobody&tint=pink&follow=nobody&theme=pink")
    plain = page.view("inset") is None and page.view("tint") == "plain"
    check(page.wait("dalembertView.playing") and plain, f"an address that makes no sense is passed over: speed {page.view('speed'):g}")
    page.open("#=&&t&inset=&tint=&%&extent=1e999&at=,,&yaw=%E0%A4%A&play=0")
    check(drawn_part(page) > 0, f"so is one that is torn: {drawn_part(page):.2%} of the picture is drawn on")
    page.open("#t=0&play=0")
    whole, camera = drawn_part(page), page.view("camera")
    for hash in ("#play=0&yaw=20", "#play=0&pitch=40", "#play=0&yaw=&at=", "#play=0&extent=&pitch=30", "#play=0&at=1,2", "#t=&play=0&yaw=50", "#play=0&follow=&yaw=25"):
        page.open(hash)
        part, extent = drawn_part(page), page.view("camera")["extent"]
        check(part > 0.3 * whole and 0.8 < extent / camera["extent"] < 1.25, f"{hash}: {part:.2%} of the picture is drawn on, {whole:.2%} at first")
    page.open()
    page.key("0")


def drawn_part(page):
    """The part of the scene's picture that is not background."""
    picture = page.scene()
    return float((np.abs(picture - np.median(picture.reshape(-1, 3), axis=0)).max(axis=2) > 24).mean())


def check_saving(page):
    """What the page saves is what it shows."""
    page.open("#t=0&play=0")
    text = page.driver.execute_async_script("""const end = arguments[0];
        dalembertView.picture().then((blob) => { const reader = new FileReader(); reader.onload = () => end(reader.result); reader.readAsDataURL(blob); });""")
    saved = np.asarray(Image.open(io.BytesIO(base64.b64decode(text.split(",")[1]))).convert("RGB")).astype(float)
    box = page.box()
    check(abs(saved.shape[1] - box[2]) <= 1 and abs(saved.shape[0] - box[3]) <= 1, f"the PNG has the size of the canvas, {saved.shape[1]} × {saved.shape[0]}")
    spread = np.abs(saved - np.median(saved.reshape(-1, 3), axis=0)).max(axis=2)
    shown = drawn_part(page)
    check(abs(float((spread > 24).mean()) - shown) < 0.2 * shown + 1e-3, f"and shows what the page shows: {float((spread > 24).mean()):.2%} drawn on, {shown:.2%} there")
    title = json.loads(page.js("return document.getElementById('scene').textContent"))["title"]
    shown = page.js("return [document.title, document.getElementById('title').textContent]")
    with tempfile.TemporaryDirectory() as folder:
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        page.key("p")
        expected = pathlib.Path(folder) / f"{title}.png"
        end = time.time() + 10
        while time.time() < end and not expected.exists():
            time.sleep(0.05)
        files = [one.name for one in pathlib.Path(folder).iterdir()]
    check(shown == [title, title] and files == [expected.name], f"tab and heading say {shown}, P saves {files}")
    page.view("play")
    size, kind = page.driver.execute_async_script("""const end = arguments[0], film = dalembertView.film();
        setTimeout(() => film.stop().then((blob) => blob.slice(0, 4).arrayBuffer().then((head) => end([blob.size, Array.from(new Uint8Array(head))]))), 1500);""")
    check(size > 2000 and kind == [0x1A, 0x45, 0xDF, 0xA3], f"a film of 1.5 s is a WebM of {size} bytes")
    page.open()


def check_inset(page, name, pictures):
    """The inset shows a point in its middle at any time, enlarged, and leaves the rest of the picture as it is."""
    times = page.view("times")
    page.view("pause")
    page.key("0")
    page.view("seek", times[0])
    before = page.scene()
    page.key("i")
    shown = page.view("inset")
    left, top, width, height = np.subtract(page.box("#inset"), [*page.box()[:2], 0, 0])
    after = page.scene()
    outside = np.ones(after.shape[:2], bool)
    box = np.s_[round(top) : round(top + height), round(left) : round(left + width)]
    outside[max(0, round(top) - 3) : round(top + height) + 3, max(0, round(left) - 3) : round(left + width) + 3] = False
    rest, inside = np.abs(after - before)[outside].max(), (np.abs(after - before)[box].max(axis=2) > 24).mean()
    check(shown == name and rest == 0 and inside > 0.1, f"I: the inset shows {shown} and changes {inside:.0%} of its {width:.0f} × {height:.0f} px, no other pixel by more than {rest:.0f}")
    off = []
    for share in (0.1, 0.45, 0.8):
        page.view("seek", times[int(share * len(times))])
        page.only()
        empty = page.scene()[box]
        page.only(name)
        seen, pixels = centroid(page.scene()[box], empty)
        off.append(np.abs(seen - np.divide([width, height], 2)).max() if pixels else math.inf)
        page.all()
    check(max(off) < 2, f"in the inset {name} is within {max(off):.2f} px of the middle at {len(off)} times")
    scene = json.loads(page.js("return document.getElementById('scene').textContent"))
    radius = max((shape["radius"] for shape in scene["shapes"] if shape["kind"] == "tube"), default=0)
    label = page.js("return document.getElementById('inset-point').selectedOptions[0].textContent")
    check(label == f"{name}, {8 * radius:.2g} m", f"and spans eight times the tubes' radius: {label}")
    Image.fromarray(page.picture().astype(np.uint8)).save(pictures / "inset.png")
    page.key("i")
    page.view("seek", times[0])
    difference = np.abs(page.scene() - before).max()
    check(page.view("inset") is None and difference == 0, f"I again, and it is gone: pictures differ by {difference:.0f}")


def strains_of(places, first, second):
    """Curvature and twist [1/m] of the pieces between nodes, from the axes of their cross-sections."""
    frames = np.stack([first, second, np.cross(first, second)], axis=2)
    turns = np.einsum("kji,kjl->kil", frames[:-1], frames[1:])
    angle = np.arccos(np.clip((np.trace(turns, axis1=1, axis2=2) - 1) / 2, -1, 1))
    scale = np.where(angle > 1e-9, angle / (2 * np.sin(np.maximum(angle, 1e-9))), 0.5)
    vector = scale[:, None] * np.stack([turns[:, 2, 1] - turns[:, 1, 2], turns[:, 0, 2] - turns[:, 2, 0], turns[:, 1, 0] - turns[:, 0, 1]], axis=1)
    vector /= np.linalg.norm(np.diff(places, axis=0), axis=1)[:, None]
    return {"curvature": np.hypot(vector[:, 0], vector[:, 1]), "twist": vector[:, 2]}


def check_colours(page, name, sections, pictures):
    """Colours along a tube go by its strains: sections is time → places, first and second axes of the run's own files."""
    page.view("pause")
    page.only(name)
    page.view("seek", next(iter(sections)))
    plain = page.scene()
    for measure in ("curvature", "twist"):
        page.js("dalembertView.tint = arguments[0]", measure)
        words = page.js("return document.querySelector('#scales div:not([hidden]) i').parentNode.textContent").replace("−", "-")
        low, high = (float(word) for word in re.findall(r"-?\d[\d.]*", words)[:2])
        expected, warmth, largest = [], [], 0
        for at, axes in sections.items():
            page.view("seek", at)
            values, places = strains_of(*axes)[measure], axes[0]
            largest = max(largest, np.abs(values).max())
            target = places[int(np.abs(values).argmax())]
            page.js("dalembertView.camera = { extent: arguments[0], target: arguments[1] }", float(np.ptp(places, axis=0).max() / 4), list(target))
            picture, eye = page.scene(), Eye(page)
            for k in range(1, len(places) - 1):
                x, y = eye(places[k])
                if 1 < x < eye.width - 1 and 1 < y < eye.height - 1:
                    colour = picture[int(y), int(x)]
                    expected.append((values[k - 1] + values[k]) / 2 / high)
                    warmth.append((colour[0] - colour[2]) / max(colour.max(), 1))
        alike = np.corrcoef(expected, warmth)[0, 1]
        bounds = low == (0 if measure == "curvature" else -high) and largest <= 1.01 * high
        check(measure in words and "1/m" in words and bounds, f"{name}: “{words}”, the run's files have {largest:.3g} 1/m at {len(sections)} times")
        check(alike > 0.8 and len(expected) > 30, f"{name}: colours of {len(expected)} nodes go with their {measure} in the run's files, correlation {alike:.2f}")
        page.all()
        Image.fromarray(page.picture().astype(np.uint8)).save(pictures / f"{measure}.png")
        page.only(name)
    page.key("c", "c", "0")
    page.view("seek", next(iter(sections)))
    difference = np.abs(page.scene() - plain).max()
    page.all()
    check(page.view("tint") == "plain" and difference == 0, f"C goes on to plain: pictures differ by {difference:.0f}")


def check_apart(page):
    """What the page says of frames that are too far apart is what its data have."""
    scene, data = (page.js(f"return document.getElementById('{part}').textContent") for part in ("scene", "data"))
    scene, data = json.loads(scene), base64.b64decode(data)
    worst, gaps = 0, set()
    for shape in scene["shapes"]:
        if shape["kind"] not in ("tube", "body") or shape["still"]:
            continue
        words = np.frombuffer(data, "<u2", 3 * shape["nodes"] * scene["frames"], shape["turns"]).reshape(scene["frames"], -1, 3)
        small = (words & 32767) * (math.sqrt(2) / 32767) - math.sqrt(0.5)
        largest = (words[..., 0] >> 15) + 2 * (words[..., 1] >> 15)
        quaternions = np.zeros((*words.shape[:2], 4))
        for place in range(4):
            here = largest == place
            quaternions[here] = np.insert(small[here], place, np.sqrt(np.maximum(0, 1 - (small[here] ** 2).sum(axis=1))), axis=1)
        cosine = np.abs((quaternions[1:] * quaternions[:-1]).sum(axis=2))
        angle = 2 * np.degrees(np.arccos(np.minimum(1, cosine))).max(axis=1)
        worst = max(worst, angle.max())
        gaps |= set(np.nonzero(angle > 60)[0])
    said = page.js("return document.getElementById('apart').textContent")
    numbers = re.search(r"turns by (\d+)°.* in (\d+) of \d+ gaps", said)
    right = bool(numbers) and abs(int(numbers[1]) - worst) <= 1 and int(numbers[2]) == len(gaps) if gaps else not said
    check(right, f"between frames nodes turn by {worst:.1f}° at most, by more than 60° in {len(gaps)} gaps; the page says “{said}”")


def check_without_points(path):
    """A scene without points has no inset, one that does not move has nothing to say of its frames."""
    def bare(scene, data):
        scene["shapes"] = [shape for shape in scene["shapes"] if shape["kind"] != "point"]
        for shape in scene["shapes"]:
            if shape["kind"] in ("tube", "body"):
                for array in ("positions", "turns"):
                    size = 6 * shape["nodes"]
                    data[shape[array] : shape[array] + size * scene["frames"]] = data[shape[array] : shape[array] + size] * scene["frames"]

    copy = altered(path, "bare", bare)
    with Page(copy, "#play=0&inset=contact&tint=twist") as page:
        page.key("i")
        hidden = page.js("return [document.getElementById('inset-button').hidden, document.getElementById('inset').hidden]")
        check(hidden == [True, True] and page.view("inset") is None, "without points there is no inset and no button for it")
        said = page.js("return document.getElementById('apart').textContent")
        check(not said and page.view("tint") == "twist", f"where nothing turns, nothing is said of frames: “{said}”")
        check_quiet(page, "a page without points")
    copy.unlink()


def check_following(page, name):
    """F lets the eye go with a body, which then stays where it is on the picture; F again, and the scene lies as at first."""
    def place(at):
        page.view("seek", at)
        return page.js("return dalembertView.project(dalembertView.position(arguments[0]))", name)

    times = page.view("times")
    when = [(1 - f) * times[0] + f * times[-1] for f in (0.23, 0.5, 0.77)]
    page.view("pause")
    page.key("0")
    first, at_rest = page.view("camera"), [place(t) for t in when]
    page.key("f")
    inside = page.view("followed")
    led = [place(t) for t in when]
    page.key("d", "+")
    turned = [place(t) for t in when]
    picture, state = page.scene(), [page.view(what) for what in ("time", "camera", "followed")]
    page.driver.find_element("css selector", "#link").click()
    page.open(page.js("return location.hash"))
    again = [page.view(what) for what in ("time", "camera", "followed")]
    same = np.allclose(state[1]["target"], again[1]["target"], rtol=0, atol=1e-9 * state[1]["extent"]) and state[0] == again[0] and state[2] == again[2]
    difference = np.abs(page.scene() - picture).max()
    turned += [place(t) for t in when]
    page.open("#play=0")
    moved = np.ptp(at_rest, axis=0).max()
    stays = max(np.ptp(led, axis=0).max(), np.ptp(turned, axis=0).max())
    check(inside == name and stays <= 0.01 and moved > 20, f"F follows {inside}: it stays within {stays:.1g} px of its place, where else it moves by {moved:.0f} px")
    check(same and difference <= 2, f"a link holds that it is followed, and where it is: pictures differ by {difference:.0f} of 255")
    page.key("f", "f")
    check(page.view("followed") is None and page.view("camera") == first, "F again lets go, and the first view is back")


def check_embedded(page, pictures, name):
    page.open("#embed")
    visible = page.js("return ['header', '#controls', '#panels', 'footer'].filter((s) => document.querySelector(s).getClientRects().length)")
    _, _, width, height = page.box()
    playing = page.wait("dalembertView.playing && dalembertView.time > dalembertView.times[0]")
    Image.fromarray(page.picture().astype(np.uint8)).save(pictures / f"{name}_embed.png")
    check(not visible and (width, height) == (WIDTH, HEIGHT) and playing and page.view("loop"), f"#embed: the scene alone, {width:.0f} × {height:.0f}, playing in a loop")
    ActionChains(page.driver).click(page.driver.find_element("css selector", "#canvas")).perform()
    paused = not page.view("playing")
    ActionChains(page.driver).click(page.driver.find_element("css selector", "#canvas")).perform()
    check(paused and page.view("playing"), "#embed: a click pauses, another plays")
    page.prefer(prefers_reduced_motion="reduce")
    page.open()
    time.sleep(0.5)
    check(not page.view("playing"), "where less motion is asked for, it does not begin to play by itself")
    page.prefer()
    page.open()


def check_playing(page):
    """A run takes about ten seconds, and display time is real time by the speed."""
    page.open()
    times, speed = page.view("times"), page.view("speed")
    lasts = (times[-1] - times[0]) / speed
    started = page.wait("dalembertView.playing && dalembertView.time > dalembertView.times[0]")
    measure = """const end = arguments[0], t = performance.now(), a = dalembertView.time;
      setTimeout(() => end([(dalembertView.time - a), (performance.now() - t) / 1000]), 4000)"""
    shown, real = page.driver.execute_async_script(measure)
    rate = (shown % (times[-1] - times[0])) / real / speed
    check(started and 5 <= lasts <= 20, f"it plays by itself, for {lasts:.1f} s at ×{speed:g}")
    check(0.7 < rate < 1.3, f"display time runs at {rate:.2f} of real time × speed")


def check_context_loss(page):
    page.view("pause")
    before = page.scene()
    page.js("window.lost = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context'); lost.loseContext()")
    page.wait("!document.getElementById('asleep').hidden")
    page.js("lost.restoreContext()")
    back = page.wait("document.getElementById('asleep').hidden")
    time.sleep(0.3)
    difference = np.abs(page.scene() - before).max()
    check(back and difference <= 2, f"graphics taken away and given back: pictures differ by {difference:.0f} of 255")


def check_frame_time(page):
    """Twelve rods of a hundred elements each, drawn by the processor, as one picture of a motion and at rest."""
    page.open()
    page.wait("dalembertView.playing")
    time.sleep(2)
    rods = page.js("return dalembertView.shapes.filter((shape) => shape.kind === 'tube').length")
    moving, still = (page.js("const all = []; for (let i = 0; i < 25; ++i) all.push(dalembertView.drawnFrame(arguments[0])); return all.sort((a, b) => a - b)", flag) for flag in (True, False))
    page.view("pause")
    check(rods == 12 and moving[0] <= FRAME_LIMIT, f"a picture of {rods} rods in motion takes {moving[0]:.0f} ms at best, {moving[12]:.0f} ms in the middle of 25 (limit {FRAME_LIMIT:g} ms); at rest, with smooth edges, {still[0]:.0f} and {still[12]:.0f} ms")


def check_quiet(page, name):
    said = page.complaints()
    check(not said, f"{name}: the page makes no complaint" + "".join(f"\n          {entry['level']} {entry['message'][:300]}" for entry in said))


def check_without_webgl(path, pictures):
    with Page(path, "#play=0", ["--disable-3d-apis"]) as page:
        sentence = page.js("const p = document.getElementById('no-webgl'); return p.getClientRects().length ? p.textContent : ''")
        images = page.js("return [...document.querySelectorAll('#pictures img')].filter((i) => i.getClientRects().length && i.naturalWidth > 0).length")
        scene = page.js("return document.getElementById('canvas').getClientRects().length")
        Image.fromarray(page.picture().astype(np.uint8)).save(pictures / "without_webgl.png")
        check("WebGL 2" in sentence and images > 0 and not scene, f"without WebGL there is a sentence ({sentence[:40]}…) and {images} pictures")
        page.key(Keys.END)
        check(page.view("time") == page.view("times")[-1], "without WebGL the panels can still be played through")
    with Page(path, "", SOFTWARE) as page:
        images = page.js("return [...document.querySelectorAll('#pictures img')].filter((i) => i.getClientRects().length).length")
        check(images == 0, "with WebGL the pictures are hidden")


def check_without_scripts(path):
    with Page(path, "", ["--blink-settings=scriptEnabled=false"], ready=False) as page:
        document = page.driver.execute_cdp_cmd("DOM.getDocument", {"depth": -1})["root"]["nodeId"]

        def visible(selector):
            found = page.driver.execute_cdp_cmd("DOM.querySelector", {"nodeId": document, "selector": selector})["nodeId"]
            try:
                return page.driver.execute_cdp_cmd("DOM.getBoxModel", {"nodeId": found})["model"]["height"] > 0
            except WebDriverException:  # what is not laid out has no box
                return False

        check(visible("noscript p") and visible("#pictures img"), "without scripts there is a sentence and the pictures are shown")


def check_read_only(path):
    """The page opens from a folder that nobody may write to, by a path with a space, absolute or relative."""
    with tempfile.TemporaryDirectory(prefix="no leave to write ") as name:
        folder = pathlib.Path(name).resolve()
        shutil.copy(path, folder / "view.html")
        folder.chmod(0o555)
        try:
            for kind, one in (("an absolute", folder), ("a relative", pathlib.Path(os.path.relpath(folder)))):
                with Page(one / "view.html", "#play=0") as page:
                    check(page.view("times"), f"opened from a folder without leave to write by {kind} path: {one}")
        finally:
            folder.chmod(0o755)


def altered(path, name, change):
    """A copy of a page beside it, whose scene and whose bytes `change` has altered."""
    html = path.read_text()
    json_part, data_part = (re.search(rf'(<script id="{part}"[^>]*>)(.*?)(</script>)', html, re.S) for part in ("scene", "data"))
    scene, data = json.loads(json_part[2]), bytearray(base64.b64decode(data_part[2]))
    change(scene, data)
    html = html[: json_part.start(2)] + json.dumps(scene) + html[json_part.end(2) : data_part.start(2)] + base64.b64encode(data).decode() + html[data_part.end(2) :]
    copy = path.with_name(name + ".html")
    copy.write_text(html)
    return copy


def check_odd_pages(path, name):
    """A scene far from the origin looks the same; a body that is nowhere for a while, or has no rotation, is not drawn there, and is followed again when it is back."""
    def far(scene, _):
        for place in [scene["low"], scene["high"]] + [shape["at"] for shape in scene["shapes"] if "at" in shape]:
            place[:] = [x + 1e6 for x in place]

    def gaps(scene, data):
        body, frames = next(shape for shape in scene["shapes"] if shape["name"] == name), scene["frames"]
        for first, last, arrays in ((0.3, 0.5, ("positions", "turns")), (0.6, 0.7, ("turns",))):
            for array in arrays:
                data[body[array] + 6 * int(first * frames) : body[array] + 6 * int(last * frames)] = b"\xff" * (6 * (int(last * frames) - int(first * frames)))

    with Page(path, "#play=0") as page:
        times = page.view("times")
        at = {share: times[int(share * len(times))] for share in (0.4, 0.65, 0.8)}
        page.view("seek", at[0.8])
        place, picture = page.view("position", name), page.scene()
        page.key("f")
        followed = page.view("camera")["target"]
        page.open("file://" + str(altered(path, "far", far).resolve()) + "#play=0")
        page.view("seek", at[0.8])
        moved = np.subtract(page.view("position", name), place)
        difference = np.abs(page.scene() - picture).max(axis=2)
        check(np.abs(moved - 1e6).max() < 1e-6 and np.mean(difference > 24) < 1e-3, f"a million metres from the origin {100 * np.mean(difference > 24):.2g} % of the pixels are others")
        page.open("file://" + str(altered(path, "gaps", gaps).resolve()) + "#play=0")
        check(page.view("position", name, at[0.4]) is None and page.view("position", name, at[0.65]) is None and page.view("position", name, at[0.8]) == place, f"{name} is nowhere where it has no place or no rotation")
        page.view("seek", at[0.4])
        page.key("f")
        page.key("0")
        page.view("seek", at[0.8])
        page.key("0")
        again = page.view("camera")["target"]
        page.view("seek", at[0.4])
        page.key("0")
        page.view("seek", at[0.8])
        off = max(np.abs(np.subtract(page.view("camera")["target"], target)).max() for target in (again, followed))
        check(off < 1e-2 * page.view("camera")["extent"], f"{name} is followed again when it is back: the eye is {off:.2g} m off")
        check_quiet(page, "an odd page")
    for copy in ("far", "gaps"):
        path.with_name(copy + ".html").unlink()


# ---- the studies -------------------------------------------------------------------------------------------------------


def rolling_rods(folder, pictures):
    path = folder / "view.html"
    contact = series(folder / "paraview" / "contact.pvd")
    rods = series(folder / "paraview" / "rods.pvd")
    columns = table(folder / "contact.csv")

    def at(listed, when):
        return points_of_vtp(listed[min(listed, key=lambda t: abs(t - when))])

    with Page(path, "#play=0") as page:
        when = common_times(page, contact)
        check_points(page, "contact", {t: at(contact, t)[0] for t in when})
        nodes = {t: at(rods, t) for t in when}
        for i, name in enumerate(("rod 1", "rod 2")):
            check_tube(page, name, {t: np.split(places, 2)[i] for t, places in nodes.items()})
        axes = {t: [at(rods, t), *(points_of_vtp(rods[min(rods, key=lambda s: abs(s - t))], axis) for axis in ("e1", "e2"))] for t in when}
        for i, name in enumerate(("rod 1", "rod 2")):
            check_stripes(page, name, {t: [np.split(array, 2)[i] for array in arrays] for t, arrays in axes.items()})
            check_colours(page, name, {t: [np.split(array, 2)[i] for array in arrays] for t, arrays in axes.items()}, pictures)
        check_inset(page, "contact", pictures)
        check_apart(page)
        check_first_view(page)
        check_panel_values(page, columns, {"s1": columns["s1"], "s2": columns["s2"], "lambda_n": columns["lambda_n"]}, 1)
        check_slider_and_panels(page)
        check_keys(page)
        check_mouse(page)
        check_touch(page)
        check_context_loss(page)
        check_quiet(page, "rolling_rods")
    with Page(path) as page:
        check_playing(page)
        check_address(page)
        check_saving(page)
        check_sizes(page, "rolling_rods", pictures)
        check_themes(page, "rolling_rods", pictures)
        check_embedded(page, pictures, "rolling_rods")
        check_quiet(page, "rolling_rods")
    check_without_webgl(path, pictures)
    check_without_scripts(path)
    check_without_points(path)
    check_read_only(path)


def woven_net(folder, pictures):
    contacts = series(folder / "paraview" / "contacts.pvd")
    with Page(folder / "view.html", "#play=0") as page:
        when = common_times(page, contacts)
        for i in (0, 14, 35):
            check_points(page, f"contact {i + 1}", {t: points_of_vtp(contacts[min(contacts, key=lambda s: abs(s - t))])[i] for t in when})
        rods = series(folder / "paraview" / "rods.pvd")
        check_tube(page, "rod 4", {t: np.split(points_of_vtp(rods[min(rods, key=lambda s: abs(s - t))]), 12)[3] for t in when})
        check_first_view(page)
        check_themes(page, "woven_net", pictures)
        check_frame_time(page)
        check_quiet(page, "woven_net")


def rolling_ball(folder, pictures):
    columns = table(folder / "trajectory.csv")
    parameters = json.loads((folder / "summary.json").read_text())["parameters"]
    with Page(folder / "view.html", "#play=0") as page:
        when = common_times(page, columns["t"])
        places = {t: (columns["x"][row_at(columns, t)], columns["y"][row_at(columns, t)]) for t in when}
        check_points(page, "contact", {t: (*p, 0) for t, p in places.items()})
        # seen from nearby a ball's outline is an ellipse about a place a little off its middle
        check_body(page, "ball", {t: (*p, parameters["R"]) for t, p in places.items()}, 4)
        check_turning(page, "ball", 20.0, 20.5)
        check_first_view(page)
        check_panel_values(page, columns, {"W1": columns["W1"], "W3": columns["W3"]}, 1)
        check_following(page, "ball")
        check_odd_pages(folder / "view.html", "ball")
        check_themes(page, "rolling_ball", pictures)
        check_quiet(page, "rolling_ball")


def chaplygin_sleigh(folder, pictures):
    columns = table(folder / "trajectory.csv")
    with Page(folder / "view.html", "#play=0") as page:
        when = common_times(page, columns["t"], 4)
        places = {t: (columns["x"][row_at(columns, t)], columns["y"][row_at(columns, t)], 0) for t in when}
        check_points(page, "blade", places)
        # the blade is not the middle of what is drawn, but near it
        check_body(page, "sleigh", places, 20)
        check_first_view(page)
        up = np.subtract(page.view("project", [0, 1, 0]), page.view("project", [0, 0, 0]))
        check(abs(up[0]) < 1e-3 and up[1] < 0, f"a planar motion is seen from above, y up: a metre of y is {up[0]:.1f}, {up[1]:.1f} px")
        check_panel_values(page, columns, {"u": columns["u"], "lambda": columns["lambda"]}, 1)
        check_following(page, "sleigh")
        check_themes(page, "chaplygin_sleigh", pictures)
        check_quiet(page, "chaplygin_sleigh")


def contact_strings(folder, pictures):
    columns = table(folder / "contact.csv")
    with Page(folder / "view.html", "#play=0") as page:
        when = common_times(page, np.loadtxt(folder / "string.csv", delimiter=",", skiprows=1, usecols=0), tolerance=1e-4)
        # the picture of the string is a table: x over its columns, t before its rows
        grid = np.loadtxt(folder / "string.csv", delimiter=",")
        x, rows = grid[0, 1:], {t: grid[1 + int(np.abs(grid[1:, 0] - t).argmin()), 1:] for t in when}
        check_points(page, "contact on the first string", {t: (s, np.interp(s, x, rows[t]), 0) for t in when for s in [columns["s1"][row_at(columns, t)]]})
        check_tube(page, "first string, u", {t: np.column_stack([x, rows[t], 0 * x]) for t in when})
        check_first_view(page)
        check_themes(page, "contact_strings", pictures)
        check_quiet(page, "contact_strings")


STUDIES = [rolling_rods, woven_net, rolling_ball, chaplygin_sleigh, contact_strings]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the results of the studies are")
    parser.add_argument("--only", action="append", choices=[study.__name__ for study in STUDIES], help="one study; may be given again")
    arguments = parser.parse_args()
    arguments.folder = arguments.folder.resolve()
    pictures = arguments.folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    for study in STUDIES:
        name = study.__name__
        if arguments.only and name not in arguments.only:
            continue
        print(name, flush=True)
        if not (arguments.folder / name / "view.html").is_file():
            check(False, f"{arguments.folder / name / 'view.html'} is missing")
            continue
        try:
            study(arguments.folder / name, pictures)
        except WebDriverException as error:  # the rest of this study's checks cannot be made
            check(False, f"{name}: the browser gave up: {(error.msg or str(error)).splitlines()[0]}")
    print(f"pictures of the pages are in {pictures}")
    if failures:
        print(f"{len(failures)} checks failed:", *failures, sep="\n  ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
