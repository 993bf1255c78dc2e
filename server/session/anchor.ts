import type { EatDate } from '../../core/rules/time.ts'
import { type Sealer, sealerOf } from './seal.ts'

/** Seals the anchors of the audit log: the database alone is not enough to make one. */
export const anchorSealer = (secretKey: Buffer): Sealer => sealerOf(secretKey, 'anchors of the audit log')

/** The end of the audit chain of one day: number and hash of its last row. */
export type Anchor = { anchorDate: EatDate; chainNo: number; hash: string }
/** The text that an anchor's seal is computed over. */
export const sealedText = ({ anchorDate, chainNo, hash }: Anchor): string => `${anchorDate} ${chainNo} ${hash}`
