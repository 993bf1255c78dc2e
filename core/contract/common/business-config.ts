import { z } from 'zod'
import { blockedBy } from '../blocked.ts'
import { command, noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'

/** Most holidays that the calendar holds: some ten years of them. */
const maxHolidays = 300

const Holidays = field.rows({ date: field.date(), name: field.texts(64), closed: field.flag() }, maxHolidays)
export type Holiday = z.output<typeof Holidays>[number]

/** Settings of the business, by their keys: what each holds, who reads it, and who changes it. */
export const businessConfigs = {
  /** The one calendar of public holidays; `closed` ones are days on which nobody works. */
  PUBLIC_HOLIDAYS: { schema: Holidays, read: 'merchant:maturity:page', save: 'merchant:maturity:holiday' },
} as const
/** The key of a business setting. */
export type BusinessKey = keyof typeof businessConfigs
/** The parsed value of a business setting. */
export type BusinessValue<K extends BusinessKey> = z.output<(typeof businessConfigs)[K]['schema']>

const keys = Object.keys(businessConfigs) as [BusinessKey, ...BusinessKey[]]
const codes = (which: 'read' | 'save') => [...new Set(keys.map(key => businessConfigs[key][which]))]
const updates = keys.map(key =>
  z.strictObject({ configKey: z.literal(key), version: z.int(), value: businessConfigs[key].schema }),
)

/** Reads and writes the settings above, each under its own code and version. */
export const businessConfig = noun('common/business-config', {
  get: read('/common/businessConfig/{configKey}', {
    anyPerm: codes('read'),
    input: { configKey: z.enum(keys) },
    output: z.object({
      configKey: z.enum(keys),
      /** As the schema of the key says. */
      value: z.unknown(),
      version: z.int(),
      updatedBy: field.user().nullable(),
      updatedTime: field.time().nullable(),
      blockedBy: blockedBy(),
      pendingApproval: field.user().nullable(),
    }),
  }),
  /** Asks for a change; a second person agrees to it before it holds. */
  update: command({
    path: '/common/businessConfig/update',
    anyPerm: codes('save'),
    audit: 'businessConfig.update',
    input: updates[0] as (typeof updates)[number],
    output: z.object({ approvalNo: field.key() }),
  }),
})
