import { describeRedisRunner } from './conformance.ts';

describeRedisRunner();
