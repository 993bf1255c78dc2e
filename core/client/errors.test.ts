import { expect, it } from 'vitest'
import { CallError, errorsAt, TransportError } from './errors.ts'

const refused = (...fields: { path: string; msg: string }[]) => new CallError(40001, 'no', { fields })

it('says at a field what is wrong with it, or with anything inside of it', () => {
  const error = refused(
    { path: 'amount', msg: 'Too much' },
    { path: 'flows.2.serialNo', msg: 'Used already' },
    { path: 'customer.phone', msg: 'Not a phone' },
  )
  expect(errorsAt(error, ['flows', 'customer', 'amount'])).toEqual({
    fields: { amount: 'Too much', flows: 'Used already', customer: 'Not a phone' },
    rest: [],
  })
})

it('says the first of several at one field', () => {
  const error = refused({ path: 'flows.0.amount', msg: 'first' }, { path: 'flows.1.amount', msg: 'second' })
  expect(errorsAt(error, ['flows']).fields).toEqual({ flows: 'first' })
})

it('keeps apart what no field of the form asks for, each once', () => {
  const error = refused(
    { path: 'version', msg: 'Wrong value' },
    { path: 'orderNo', msg: 'Wrong value' },
    { path: 'flowsOfAll', msg: 'Another' },
  )
  expect(errorsAt(error, ['flows'])).toEqual({ fields: {}, rest: ['Wrong value', 'Another'] })
})

it('says nothing of what is no refusal of values', () => {
  for (const error of [new CallError(40901, 'moved', { status: 'x' }), new TransportError('network'), null])
    expect(errorsAt(error, ['amount'])).toEqual({ fields: {}, rest: [] })
})
