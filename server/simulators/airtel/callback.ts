import { createHmac, randomUUID } from 'node:crypto'
import type { Lie } from '../network/cases.ts'
import type { Operation } from '../network/operation.ts'
import { codeOf, wordOf } from './words.ts'

type Said = { id: string; status_code: string; airtel_money_id?: string; code?: string; message: string }

const lies: { [lie in Lie]: (said: Said) => Partial<Said> } = {
  failed: () => ({ status_code: 'TF' }),
  unknownRef: () => ({ id: `X${randomUUID().replaceAll('-', '')}` }),
  otherAmount: ({ message }) => ({ message: message.replace(/\d+/, amount => String(Number(amount) + 1000)) }),
  otherParty: () => ({}),
}

/** A stranger does not have the key. */
const isStranger = (lie: Lie | undefined, forgedSerial: string | null) =>
  forgedSerial !== null || lie === 'otherAmount' || lie === 'otherParty'

/** The truth, a lie, or with `forgedSerial` a success that never was; signed where there is a key. */
export const callbackBody = (
  operation: Operation,
  o: { lie?: Lie; forgedSerial: string | null; key: string | null },
): object => {
  const { request, serialNo } = operation
  const number = serialNo ?? o.forgedSerial
  const said: Said = {
    id: request.ref,
    message: `Paid UGX ${request.amount}${number ? `, Trans ID ${number}.` : '.'}`,
    status_code: o.forgedSerial ? 'TS' : wordOf(operation),
    ...(number ? { airtel_money_id: number } : {}),
    ...(operation.status === 'FAILED' ? { code: codeOf(operation) } : {}),
  }
  const transaction = { ...said, ...(o.lie ? lies[o.lie](said) : {}) }
  if (o.key === null) return { transaction }
  const key = isStranger(o.lie, o.forgedSerial) ? `not ${o.key}` : o.key
  const hash = createHmac('sha256', key).update(JSON.stringify({ transaction })).digest('base64')
  return { transaction, hash }
}
