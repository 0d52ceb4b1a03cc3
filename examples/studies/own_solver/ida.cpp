#include "own_solver/ida.hpp"

#ifdef OWN_SOLVER_WITH_IDA

#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace own_solver {

namespace {

struct Call {
  const ResidualFunction& residual;
  std::exception_ptr thrown{};
};

/// IDA is C: nothing may be thrown through it.
int residual_for_ida(sunrealtype t, N_Vector y, N_Vector ydot, N_Vector out, void* data) {
  auto& call = *static_cast<Call*>(data);
  try {
    call.residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), N_VGetArrayPointer(out));
    call.thrown = nullptr;
    return 0;
  } catch (...) {
    call.thrown = std::current_exception();
    return 1;  // IDA may try a shorter step
  }
}

void check(int status, const char* what, const Call& call) {
  if (status >= 0) return;
  if (call.thrown) std::rethrow_exception(call.thrown);
  throw std::runtime_error(std::string("IDA: ") + what + " failed with status " + std::to_string(status));
}

/// What SUNDIALS makes, and how it is freed.
template <class T, class Free>
std::unique_ptr<T, Free> own(T* made, Free free) {
  if (!made) throw std::runtime_error("IDA: SUNDIALS could not make what was asked for");
  return {made, free};
}

}  // namespace

void solve_by_ida(const ResidualFunction& residual, const std::vector<bool>& differential, double start,
                  double end, double tolerance, std::vector<double>& Y, std::vector<double>& Ydot) {
  SUNContext raw = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(SUN_COMM_NULL, &raw);
#else
  SUNContext_Create(nullptr, &raw);
#endif
  const auto context = own(raw, [](SUNContext c) { SUNContext_Free(&c); });
  const auto n = static_cast<sunindextype>(Y.size());
  const auto free_vector = [](N_Vector v) { N_VDestroy(v); };
  const auto y = own(N_VNew_Serial(n, raw), free_vector);
  const auto ydot = own(N_VNew_Serial(n, raw), free_vector);
  const auto id = own(N_VNew_Serial(n, raw), free_vector);
  const auto matrix = own(SUNDenseMatrix(n, n, raw), [](SUNMatrix m) { SUNMatDestroy(m); });
  const auto linear =
      own(SUNLinSol_Dense(y.get(), matrix.get(), raw), [](SUNLinearSolver s) { SUNLinSolFree(s); });
  std::copy(Y.begin(), Y.end(), N_VGetArrayPointer(y.get()));
  std::copy(Ydot.begin(), Ydot.end(), N_VGetArrayPointer(ydot.get()));
  for (std::size_t i = 0; i < Y.size(); ++i) N_VGetArrayPointer(id.get())[i] = differential[i] ? 1 : 0;

  Call call{residual};
  const auto free_ida = [](void* memory) { IDAFree(&memory); };
  const std::unique_ptr<void, decltype(free_ida)> memory(IDACreate(raw), free_ida);
  void* const ida = memory.get();
  check(IDAInit(ida, residual_for_ida, start, y.get(), ydot.get()), "IDAInit", call);
  check(IDASetUserData(ida, &call), "IDASetUserData", call);
  check(IDASStolerances(ida, tolerance, tolerance), "IDASStolerances", call);
  check(IDASetId(ida, id.get()), "IDASetId", call);
  check(IDASetSuppressAlg(ida, 1), "IDASetSuppressAlg", call);  // multipliers have no error of their own
  check(IDASetMaxNumSteps(ida, 1000000), "IDASetMaxNumSteps", call);
  check(IDASetStopTime(ida, end), "IDASetStopTime", call);
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_ClearErrHandlers(raw);  // errors are thrown here, not printed
#else
  check(IDASetErrFile(ida, nullptr), "IDASetErrFile", call);  // errors are thrown here, not printed
#endif
  check(IDASetLinearSolver(ida, linear.get(), matrix.get()), "IDASetLinearSolver", call);
  sunrealtype reached = start;
  check(IDASolve(ida, end, &reached, y.get(), ydot.get(), IDA_NORMAL), "IDASolve", call);
  std::copy_n(N_VGetArrayPointer(y.get()), Y.size(), Y.begin());
  std::copy_n(N_VGetArrayPointer(ydot.get()), Y.size(), Ydot.begin());
}

}  // namespace own_solver

#endif
