import type { Refusal } from '../store.ts'

/** A file that is not what it says, or not what anybody should open. */
export class BadFile extends Error {
  override name = 'BadFile'
  readonly refusal: Refusal

  constructor(refusal: Refusal, detail: string) {
    super(detail)
    this.refusal = refusal
  }
}

/** Refuses a file unless something holds of it. */
export const must: (holds: unknown, detail: string, refusal?: Refusal) => asserts holds = (
  holds,
  detail,
  refusal = 'damaged',
) => {
  if (!holds) throw new BadFile(refusal, detail)
}
