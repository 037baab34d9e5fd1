"""The hold model in SimPy: python3 hold.py PENDING EVENTS prints the nanoseconds of processor time an event."""

import itertools
import random
import sys
import time

import simpy

pending, events = int(sys.argv[1]), int(sys.argv[2])
random.seed(1)
later = itertools.cycle([random.expovariate(1.0) for _ in range(1 << 14)])


def process(env):
    while True:
        yield env.timeout(next(later))


env = simpy.Environment()
for _ in range(pending):
    env.process(process(env))
for _ in range(2 * pending):  # each has begun, and most have waited once
    env.step()
begin = time.process_time_ns()
for _ in range(events):
    env.step()
print((time.process_time_ns() - begin) / events)
