#pragma once

#include <dalembert/integrate/tableau.hpp>

/// The method of order 8 by Dormand and Prince, with the error estimates and the interpolant of Hairer, Nørsett
/// and Wanner. Its coefficients are roots of polynomials and known as decimals, here to 30 digits, of which the
/// last one or two may be off.
/// Source: Hairer, Nørsett, Wanner 1993, section II.5, table 5.4 (stages), section II.10 (estimates), section
/// II.6 (interpolant).
namespace dalembert::tableau {

namespace detail::dop853 {

/// Stages of a step.
inline constexpr Square<long double, 12> a = {{
    {},
    {5.26001519587677318785587544488e-2L},
    {1.97250569845378994544595329183e-2L, 5.91751709536136983633785987549e-2L},
    {2.95875854768068491816892993775e-2L, 0, 8.87627564304205475450678981324e-2L},
    {0.241365134159266685502369798665L, 0, -0.884549479328286085344864962717L,
     0.924834003261792003115737966543L},
    {3.7037037037037037037037037037e-2L, 0, 0, 0.170828608729473871279604482173L,
     0.125467687566822425016691814123L},
    {3.7109375e-2L, 0, 0, 0.170252211019544039314978060272L, 6.02165389804559606850219397283e-2L,
     -1.7578125e-2L},
    {3.70920001185047927108779319836e-2L, 0, 0, 0.170383925712239993810214054705L,
     0.107262030446373284651809199168L, -1.53194377486244017527936158236e-2L,
     8.27378916381402288758473766002e-3L},
    {0.624110958716075717114429577812L, 0, 0, -3.36089262944694129406857109825L,
     -0.868219346841726006818189891453L, 2.75920996994467083049415600797e1L,
     2.01540675504778934086186788979e1L, -4.34898841810699588477366255144e1L},
    {0.477662536438264365890433908527L, 0, 0, -2.48811461997166764192642586468L,
     -0.590290826836842996371446475743L, 2.12300514481811942347288949897e1L,
     1.52792336328824235832596922938e1L, -3.32882109689848629194453265587e1L,
     -2.03312017085086261358222928593e-2L},
    {-0.93714243008598732571704021658L, 0, 0, 5.18637242884406370830023853209L,
     1.09143734899672957818500254654L, -8.14978701074692612513997267357L, -1.85200656599969598641566180701e1L,
     2.27394870993505042818970056734e1L, 2.49360555267965238987089396762L, -3.0467644718982195003823669022L},
    {2.27331014751653820792359768449L, 0, 0, -1.05344954667372501984066689879e1L,
     -2.00087205822486249909675718444L, -1.79589318631187989172765950534e1L,
     2.79488845294199600508499808837e1L, -2.85899827713502369474065508674L, -8.87285693353062954433549289258L,
     1.23605671757943030647266201528e1L, 0.643392746015763530355970484046L},
}};

/// Weights of order 8.
inline constexpr Row<long double, 12> b = {5.42937341165687622380535766363e-2L,
                                           0,
                                           0,
                                           0,
                                           0,
                                           4.45031289275240888144113950566L,
                                           1.89151789931450038304281599044L,
                                           -5.8012039600105847814672114227L,
                                           0.31116436695781989440891606237L,
                                           -0.152160949662516078556178806805L,
                                           0.201365400804030348374776537501L,
                                           4.47106157277725905176885569043e-2L};

/// Weights of order 3, of the first, ninth and last stage.
inline constexpr long double third_first = 31.0L / 127.0L;
inline constexpr long double third_ninth = 0.733846688281611857341361741547L;
inline constexpr long double third_last = 3.0L / 136.0L;

/// Weights of order 8 minus those of order 5.
inline constexpr Row<long double, 12> error = {1.312004499419488073250102996e-2L,
                                               0,
                                               0,
                                               0,
                                               0,
                                               -1.225156446376204440720569753L,
                                               -0.4957589496572501915214079952L,
                                               1.664377182454986536961530415L,
                                               -0.350328848749973681688648729L,
                                               0.3341791187130174790297318841L,
                                               8.192320648511571246570742613e-2L,
                                               -2.235530786388629525884427845e-2L};

/// The three stages that only the interpolant asks for.
inline constexpr std::array<Row<long double, 16>, 3> late = {{
    {5.61675022830479523392909219681e-2L, 0, 0, 0, 0, 0, 0.253500210216624811088794765333L,
     -0.246239037470802489917441475441L, -0.124191423263816360469010140626L, 0.15329179827876569731206322685L,
     8.20105229563468988491666602057e-3L, 7.56789766054569976138603589584e-3L, -8.298e-3L},
    {3.18346481635021405060768473261e-2L, 0, 0, 0, 0, 2.83009096723667755288322961402e-2L,
     5.35419883074385676223797384372e-2L, -5.49237485713909884646569340306e-2L, 0, 0,
     -1.08347328697249322858509316994e-4L, 3.82571090835658412954920192323e-4L,
     -3.40465008687404560802977114492e-4L, 0.141312443674632500278074618366L},
    {-0.428896301583791923408573538692L, 0, 0, 0, 0, -4.69762141536116384314449447206L,
     7.68342119606259904184240953878L, 4.06898981839711007970213554331L, 0.356727187455281109270669543021L, 0,
     0, 0, -1.39902416515901462129418009734e-3L, 2.9475147891527723389556272149L,
     -9.15095847217987001081870187138L},
}};

/// How the interpolant bends away from the cubic through both ends.
inline constexpr std::array<Row<long double, 16>, 4> bend = {{
    {-8.4289382761090128651353491142L, 0, 0, 0, 0, 0.5667149535193777696253178359L,
     -3.0689499459498916912797304727L, 2.384667656512069828772814968L, 2.1170345824450282767155149946L,
     -0.8713915837779729920678990749L, 2.240437430260788275854177165L, 0.6315787787694688181557024929L,
     -8.89903364513333108206981174e-2L, 1.8148505520854727256656404962e1L, -9.1946323924783554000451984436L,
     -4.4360363875948939664310572L},
    {1.0427508642579134603413151009e1L, 0, 0, 0, 0, 2.4228349177525818288430175319e2L,
     1.6520045171727028198505394887e2L, -3.7454675472269020279518312152e2L,
     -2.2113666853125306036270938578e1L, 7.7334326684722638389603898808L, -3.0674084731089398182061213626e1L,
     -9.3321305264302278729567221706L, 1.5697238121770843886131091075e1L, -3.1139403219565177677282850411e1L,
     -9.3529243588444783865713862664L, 3.581684148639408375246589854e1L},
    {1.9985053242002433820987653617e1L, 0, 0, 0, 0, -3.8703730874935176555105901742e2L,
     -1.8917813819516756882830838328e2L, 5.2780815920542364900561016686e2L,
     -1.1573902539959630126141871134e1L, 6.8812326946963000169666922661L, -1.000605096691083840318386098L,
     0.7777137798053443209286926574L, -2.7782057523535084065932004339L, -6.0196695231264120758267380846e1L,
     8.4320405506677161018159903784e1L, 1.199229113618278932803513003e1L},
    {-2.5693933462703749003312586129e1L, 0, 0, 0, 0, -1.5418974869023643374053993627e2L,
     -2.3152937917604549567536039109e2L, 3.576391179106141237828534991e2L, 9.3405324183624310003907691704e1L,
     -3.7458323136451633156875139351e1L, 1.0409964950896230045147246184e2L, 2.9840293426660503123344363579e1L,
     -4.3533456590011143754432175058e1L, 9.63245539591882829483949506e1L, -3.9177261675615439165231486172e1L,
     -1.4972683625798562581422125276e2L},
}};

}  // namespace detail::dop853

/// Order 8 in 12 stages. Two embedded methods, of order 5 and 3, together estimate an error that shrinks like
/// h⁸.
struct DormandPrince853 {
  static constexpr int stages = 12;                  ///< evaluations of the rates a step
  static constexpr int order = 8;                    ///< order of convergence
  static constexpr int embedded_order = 5;           ///< order of the finer embedded solution
  static constexpr int coarse_order = 3;             ///< order of the coarser one
  static constexpr bool first_same_as_last = false;  ///< whether the last stage is the first of the next step
  static constexpr int dense_order = 7;              ///< order of the interpolant
  static constexpr int dense_stages = 16;            ///< stages with those that only the interpolant asks for

  /// Coefficients a_ij.
  template <class S>
  static constexpr Square<S, 12> a = detail::rounded<S>(detail::dop853::a);
  template <class S>
  static constexpr Row<S, 12> b = detail::rounded<S>(detail::dop853::b);  ///< weights b_i
  /// Weights of the error estimate by the method of order 5.
  template <class S>
  static constexpr Row<S, 12> error = detail::rounded<S>(detail::dop853::error);
  /// Weights of the error estimate by the method of order 3.
  template <class S>
  static constexpr Row<S, 12> coarse_error = [] {
    Row<long double, 12> weights = detail::dop853::b;
    weights[0] -= detail::dop853::third_first;
    weights[8] -= detail::dop853::third_ninth;
    weights[11] -= detail::dop853::third_last;
    return detail::rounded<S>(weights);
  }();
  /// Coefficients of the last three stages of the interpolant; the one before them is at the end of the step.
  template <class S>
  static constexpr std::array<Row<S, 16>, 3> late_a = detail::rounded<S>(detail::dop853::late);

  /// Weights of the interpolant at θ.
  template <class S>
  [[nodiscard]] static constexpr Row<S, 16> dense_weights(S theta) {
    Row<S, 16> whole{};
    for (std::size_t i = 0; i < 12; ++i) whole[i] = b<S>[i];
    return detail::bent_cubic(theta, whole, 12, detail::rounded<S>(detail::dop853::bend));
  }
};

}  // namespace dalembert::tableau
