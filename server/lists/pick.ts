import type { z } from 'zod'

/** The named values of a row. */
export const pick = <R extends object, K extends keyof R>(row: R, keys: readonly K[]): Pick<R, K> =>
  Object.fromEntries(keys.map(key => [key, row[key]])) as Pick<R, K>

/** The fields of a row that an object of the contract has; the others are dropped. */
export const pickFor = <S extends z.ZodRawShape, R extends object>({ shape }: z.ZodObject<S>, row: R) =>
  pick(
    row,
    Object.keys(shape).filter((key): key is keyof S & keyof R & string => key in row),
  )
