import type { all as en } from './en/all.gen.ts'
import type { all as sw } from './sw/all.gen.ts'
import type { all as zh } from './zh/all.gen.ts'

/** A text with words for one and for several is one key: `common.hits` is `common.hits_one` and `common.hits_other`. */
type Whole<K> = K extends `${infer Base}_one` | `${infer Base}_other` ? Base : K

/** Every text of the interface: `area.key`. */
export type Key = Whole<keyof typeof zh>
/** Words of a host's own choice, instead of ours. */
export type Messages = Readonly<Partial<Record<Key, string>>>

type Differing<Other> = Exclude<Key, Whole<keyof Other>> | Exclude<Whole<keyof Other>, Key>
type Same<Other> = [Differing<Other>] extends [never] ? true : Differing<Other>

/** Does not compile when English or Swahili lack a key of Chinese or have one of their own; the error names it. */
export const complete: { en: Same<typeof en>; sw: Same<typeof sw> } = { en: true, sw: true }
