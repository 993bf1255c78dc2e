import type { EatDate } from '../../core/rules/time.ts'
import { type Sealer, sealerOf } from './seal.ts'

/** Seals the anchors of the audit log: the database alone is not enough to make one. */
export const anchorSealer = (secretKey: Buffer): Sealer => sealerOf(secretKey, 'anchors of the audit log')

export type Anchor = { anchorDate: EatDate; chainNo: number; hash: string }
export const sealedText = ({ anchorDate, chainNo, hash }: Anchor): string => `${anchorDate} ${chainNo} ${hash}`
