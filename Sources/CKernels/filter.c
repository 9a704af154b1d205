#include "filter.h"

#include <math.h>

BBFilter bb_filter_make(BBResampleFilter kind, double scale) {
    double stretch = fmax(scale, 1);
    switch (kind) {
    case BBResampleBox: return (BBFilter){kind, scale, scale / 2};
    case BBResampleCatmullRom: return (BBFilter){kind, stretch, 2 * stretch};
    case BBResampleLanczos3: break;
    }
    return (BBFilter){BBResampleLanczos3, stretch, 3 * stretch};
}

/// How much of the pixel lies in the box.
static double box(double distance, double reach) {
    return fmax(fmin(distance + 0.5, reach) - fmax(distance - 0.5, -reach), 0);
}

static double catmull_rom(double x) {
    if (x >= 2) return 0;
    if (x >= 1) return ((-0.5 * x + 2.5) * x - 4) * x + 2;
    return (1.5 * x - 2.5) * x * x + 1;
}

/// sinc(x) × sinc(x / 3) with one sine instead of two: with t = πx / 3, sin 3t = 3 sin t − 4 sin³ t.
static double lanczos3(double x) {
    static const double third_of_pi = 1.0471975511965977462;
    if (x >= 3) return 0;
    if (x < 1e-8) return 1;
    double t = x * third_of_pi;
    double square = sin(t) * sin(t);
    return square / (t * t) * (1 - square * 4 / 3);
}

double bb_filter_weight(const BBFilter *filter, double distance) {
    double x = fabs(distance) / filter->stretch;
    switch (filter->kind) {
    case BBResampleBox: return box(distance, filter->reach);
    case BBResampleCatmullRom: return catmull_rom(x);
    case BBResampleLanczos3: break;
    }
    return lanczos3(x);
}
