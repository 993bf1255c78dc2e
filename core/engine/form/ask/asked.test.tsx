// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { hooked } from '../../../../tests/hook.tsx'
import { command } from '../../../contract/endpoint.ts'
import { field } from '../../../contract/fields.ts'
import { type Host, HostContext } from '../../../element/context.ts'
import type { CallAction } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'
import { useAsked } from './asked.ts'

const update = command({
  path: '/test/update',
  audit: 'test.update',
  input: z.strictObject({
    userNo: field.key(),
    version: z.int(),
    realName: field.text(),
    phone: field.phone().optional(),
    validUntil: field.date().optional(),
    roleNos: z.array(field.key()).min(1).optional(),
    merchantNos: z.array(field.key()).optional(),
  }),
  output: z.object({}),
})
const row: Row = { userNo: 'U1', version: 3, realName: 'Akello', phone: '0772***456', validUntil: null }
const ask = ['realName', 'phone', 'validUntil']

const dialog = (action: Partial<CallAction<Row>>, record: Row = row) => {
  const again = vi.fn()
  const run = hooked(
    (now: Row) =>
      useAsked({
        action: { run: update, label: 'common.save', ask, ...action },
        ...{ rows: [row], rowKey: 'userNo', fields: z.object({}), record: now, again, close: () => undefined },
      }),
    record,
    inner => <HostContext value={{ props: {}, tag: 'mkopo-test' } as unknown as Host}>{inner}</HostContext>,
  )
  const value = (name: string) => run.now().form.getValues(name)
  const type = (name: string, to: unknown) => run.does(now => now.form.setValue(name, to as never))
  return { ...run, again, value, type }
}

it('begins with what is known of the row, and leaves empty what is seen only in part', () => {
  const { value, now } = dialog({ from: 'row' })
  expect(ask.map(value)).toEqual(['Akello', undefined, undefined])
  expect(now().given).toEqual({ userNo: 'U1', version: 3 })
})

it('gives no empty list where none may be given, and one where the record is emptied of what it has', () => {
  const { value } = dialog({ from: 'row', ask: ['roleNos', 'merchantNos'] }, { ...row, roleNos: [], merchantNos: [] })
  expect(['roleNos', 'merchantNos'].map(value)).toEqual([undefined, []])
  const { value: held } = dialog({ from: 'row', ask: ['roleNos'] }, { ...row, roleNos: ['R1'] })
  expect(held('roleNos')).toEqual(['R1'])
})

it('differs only while a value is another than at first', () => {
  const { now, type } = dialog({ from: 'row' })
  expect(now().differs).toBe(false)
  type('realName', 'Okello')
  expect(now().differs).toBe(true)
  type('realName', 'Akello')
  expect(now().differs).toBe(false)
  expect(dialog({}).now().differs).toBeUndefined()
})

it('sends the version that was seen, and after a conflict takes what another person saved where nothing was typed', () => {
  const { now, value, type, render, does, again } = dialog({ from: 'row' })
  const theirs = { ...row, version: 4, realName: 'Achieng', validUntil: '2026-12-31' }
  type('realName', 'Okello')
  render(theirs)
  expect(now().given).toMatchObject({ version: 3 })
  expect(value('validUntil')).toBeUndefined()
  does(asked => asked.moveOn())
  expect(again).toHaveBeenCalledOnce()
  expect(now().given).toMatchObject({ version: 4 })
  expect([value('realName'), value('validUntil')]).toEqual(['Okello', '2026-12-31'])
  expect(now().differs).toBe(true)
})

it('asks for what is ticked alone, and then needs it', async () => {
  const { now, does, type } = dialog({ ticks: true })
  expect(now().asked).toEqual([])
  does(asked => asked.setTicked(['validUntil', 'realName']))
  expect(now().asked).toEqual(['realName', 'validUntil'])
  type('realName', 'Okello')
  type('phone', '0772123456')
  const sent = vi.fn()
  await now().form.handleSubmit(sent, sent)()
  expect(Object.keys(sent.mock.calls[0]?.[0])).toEqual(['validUntil'])
  type('validUntil', '2026-12-31')
  await now().form.handleSubmit(sent)()
  expect(sent.mock.calls[1]?.[0]).toEqual({ realName: 'Okello', validUntil: '2026-12-31' })
})
