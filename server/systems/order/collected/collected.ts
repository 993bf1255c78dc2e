import type { Deps, Module } from '../../../module.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { bvnServed } from './bvn.ts'
import { peopleAround } from './people-around.ts'
import { phoneData } from './phone-data.ts'
import { related } from './related.ts'

/** What is known of an applicant besides what they typed, part by part. */
export const orderCollectedModule = ({ bvn, secretKey }: Partial<Pick<Deps, 'bvn' | 'secretKey'>> = {}): Module => ({
  served: [...peopleAround(listValues(secretKey ?? Buffer.alloc(32))), ...phoneData, ...bvnServed(bvn), ...related],
})
