import { describeRedisRunner } from './conformance.ts';

describeRedisRunner({ isWhole: true, isLong: true });
