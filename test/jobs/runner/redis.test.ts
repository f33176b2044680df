import { isLong } from '../../faults/scale.ts';
import { describeRedisRunner } from './conformance.ts';

describeRedisRunner({ isWhole: false, isLong });
