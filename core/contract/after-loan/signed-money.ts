import { z } from 'zod'
import { signedMoneyFormat } from '../../rules/text/formats.ts'

/** An amount that may be below zero. */
export const signedMoney = () =>
  z.string().regex(signedMoneyFormat, 'validation.signedMoneyFormat').meta({ kind: 'money' })
