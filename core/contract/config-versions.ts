import { z } from 'zod'
import { instance, type Machine, type Part, without } from '../rules/machines/machine.ts'
import { configVersion } from '../rules/machines/operation/config-version.ts'
import { blockedBy } from './blocked.ts'
import type { ConfigCodes } from './config-codes.ts'
import { command, type Endpoint, read } from './endpoint.ts'
import { field } from './fields.ts'

/** What is wrong between the fields of a form: at which field, in which words. */
export type Flaw = { path: string; message: string }
type Fields = Readonly<Record<string, unknown>>
type Shape = z.ZodRawShape

/** Dated values of a config (M86): drafted, approved by a second person, put in force by the clock. */
export type Versioned<V extends Shape, E extends Shape> = {
  /** What a version holds. */
  form: V
  /** What is wrong between its fields, on the page as on the server. */
  flaw?: (values: Fields) => Flaw | null
  /** Numbers that say what a version would change; the confirmation names them. */
  effect: E
  /** One person may put the safe side in force at once, for a day (M86 `version.emergency`), under this code. */
  emergency?: string
}

/** Most versions of an item that are answered. */
export const maxVersions = 100

/** The events of an emergency are those of configs that say so. */
const ofEmergency = ['version.emergency', 'version.keep', 'version.fallback']

const versionRow = (form: Shape, machine: Machine) =>
  z.object({
    versionNo: field.key(),
    versionStatus: field.state(machine),
    content: z.object(form),
    effectiveTime: field.time().nullable(),
    supersededTime: field.time().nullable(),
    reason: field.remark(200).nullable(),
    makerName: field.user(),
    checkerName: field.user().nullable(),
    /** Why it did not take effect when its time had come. */
    startFault: z.string().nullable(),
    createdTime: field.time(),
    version: z.int(),
    blockedBy: blockedBy(),
  })
/** A dated version with its content as a plain record: the form of each config types it. */
export type VersionRow = Omit<z.output<ReturnType<typeof versionRow>>, 'content'> & { content: Fields }

type Keyed = { name: string; path: `/${string}`; codes: ConfigCodes; key: string }
type Asked = Pick<Versioned<Shape, Shape>, 'form' | 'flaw'> & { on: NonNullable<Endpoint['on']> }

/** Keeps a draft, or makes one. */
const saveCommand = ({ name, path, codes, key }: Keyed, { form, flaw, on }: Asked) =>
  command({
    path: `${path}/version/save`,
    perm: codes.save,
    audit: `${name}.versionSave`,
    on,
    input: z
      .strictObject({ [key]: field.key(), versionNo: field.key().optional(), version: z.int().optional(), ...form })
      .superRefine((values, context) => {
        if (values.versionNo !== undefined && values.version === undefined)
          context.addIssue({ code: 'custom', path: ['version'], message: 'validation.infoComplete' })
        const found = flaw?.(values)
        if (found) context.addIssue({ code: 'custom', path: [found.path], message: found.message })
      }),
    output: z.object({ versionNo: field.key(), version: z.int() }),
  })

/** The calls of a config's versions, and the machine of their table. */
export const versionCalls = (
  config: Keyed & { table: string; part?: Part },
  { form, flaw, effect, emergency }: Versioned<Shape, Shape>,
) => {
  const { name, path, codes, table, key, part } = config
  const table_ = `${table}_version`
  const machine = instance(emergency ? configVersion : without(configVersion, ofEmergency), {
    table: table_,
    key: 'version_no',
    perms: { '{area}:save': codes.save, ...(emergency ? { '{area}:emergency': emergency } : {}) },
    ...(part ? { part: { ...part, name: `${part.name}_version` } } : {}),
  })
  const on = (event: string, ...or: string[]) => ({ machine, event, key: 'versionNo', ...(or.length ? { or } : {}) })
  const perm = codes.page
  const one = { versionNo: field.key(), version: z.int() }
  return {
    machine,
    calls: {
      versions: read(`${path}/version/list`, {
        perm,
        input: { [key]: field.key() } as Shape,
        output: z.object({ list: z.array(versionRow(form, machine)) }),
      }),
      effect: read(`${path}/version/effect`, { perm, input: { versionNo: field.key() }, output: z.object(effect) }),
      versionSave: saveCommand(config, { form, ...(flaw ? { flaw } : {}), on: on('version.save') }),
      versionSubmit: command({
        path: `${path}/version/submit`,
        perm: codes.save,
        audit: `${name}.versionSubmit`,
        on: on('version.submit'),
        input: z.strictObject({
          ...one,
          /** As soon as it is approved, where none is given. */
          effectiveTime: field.time().optional(),
          reason: field.longText(200),
        }),
        output: z.object({ approvalNo: field.key() }),
      }),
      versionCancel: command({
        path: `${path}/version/cancel`,
        perm: `${codes.save}:check`,
        audit: `${name}.versionCancel`,
        on: on('version.cancel'),
        input: z.strictObject({ ...one, reason: field.longText(200) }),
        output: z.object({}),
      }),
    },
  }
}

/** What the row of an item says of its versions: the one in force, and the next one. */
export const versionColumns = (form: Shape) => ({
  ...Object.fromEntries(Object.entries(form).map(([name, schema]) => [name, (schema as z.ZodType).nullable()])),
  versionNo: field.key().nullable(),
  effectiveTime: field.time().nullable(),
  nextStatus: field.state(configVersion).nullable(),
  nextTime: field.time().nullable(),
})
