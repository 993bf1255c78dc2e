import type { Deps, Module } from '../../../module.ts'
import { bvnServed } from './bvn.ts'
import { peopleAround } from './people-around.ts'
import { phoneData } from './phone-data.ts'
import { related } from './related.ts'

/** What is known of an applicant besides what they typed, part by part. */
export const orderCollectedModule = ({ bvn }: Pick<Deps, 'bvn'> = {}): Module => ({
  served: [...peopleAround, ...phoneData, ...bvnServed(bvn), ...related],
})
