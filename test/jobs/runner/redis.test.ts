import { describeRedisRunner } from './conformance.ts';

describeRedisRunner({ isWhole: false });
