type Space = ' ' | '\n' | '\t'
type Trim<S extends string> = S extends `${Space}${infer R}` ? Trim<R> : S extends `${infer L}${Space}` ? Trim<L> : S
type Split<S extends string, A extends string = never> = S extends `${infer W} ${infer R}`
  ? Split<R, W extends '' ? A : A | Trim<W>>
  : Trim<S> extends ''
    ? A
    : A | Trim<S>

/** Field names as people write them, `names('orderNo phone applyTime')`; a name that its endpoint lacks does not compile. */
export const names = <const S extends string>(text: S): Exclude<Split<S>, ''>[] =>
  text.split(/\s+/).filter(Boolean) as Exclude<Split<S>, ''>[]
