import { bankCardNoFormat, idNumberFormat, phoneFormat } from './formats.ts'

/** What values of a list are. */
export const listDimensions = ['phone', 'idNumber', 'bankCardNo', 'walletAccount', 'deviceId', 'customerNo'] as const
export type ListDimension = (typeof listDimensions)[number]
/** What a list says of whom it names. */
export const listKinds = ['black', 'grey', 'white'] as const
export type ListKind = (typeof listKinds)[number]
/** What a hit does. */
export const listEffects = ['refuse', 'review', 'flag', 'skip'] as const
export type ListEffect = (typeof listEffects)[number]

/** Most values that are added at once. */
export const maxValues = 100
/** Months after which an entry ends, unless it says otherwise. */
export const defaultMonths = 12
/** Months after which it ends in any case. */
export const maxMonths = 60

const effectsOf: Readonly<Record<ListKind, readonly ListEffect[]>> = {
  black: ['refuse', 'review'],
  grey: ['review', 'flag'],
  white: ['skip'],
}

/** Whether a list of a kind may have an effect: white lists never refuse, black ones never let pass. */
export const effectFits = (kind: string, effect: string): boolean =>
  (effectsOf[kind as ListKind] as readonly string[] | undefined)?.includes(effect) ?? false

const keyFormat = /^[A-Z0-9][A-Z0-9._:-]{3,63}$/
const formatOf: Readonly<Record<ListDimension, RegExp>> = {
  phone: phoneFormat,
  idNumber: idNumberFormat,
  bankCardNo: bankCardNoFormat,
  walletAccount: phoneFormat,
  deviceId: keyFormat,
  customerNo: keyFormat,
}

/** A value as it is kept and compared: upper case, no spaces; null where the dimension has no such values. */
export const normalValue = (dimension: ListDimension, text: string): string | null => {
  const value = text.normalize('NFC').replace(/\s+/g, '').toUpperCase()
  return formatOf[dimension].test(value) ? value : null
}

/** The values of a text, one a line, each once. */
export const valuesIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean),
  ),
]
