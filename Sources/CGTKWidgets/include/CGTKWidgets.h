#pragma once
#include "BowerbirdCanvas.h"
#include "BowerbirdPeer.h"
#include "BowerbirdSignal.h"
#include "DispatchMainQueue.h"
#include "GTKMacros.h"
