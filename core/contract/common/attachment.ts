import { z } from 'zod'
import { upload } from '../../rules/machines/platform/upload.ts'
import { command, endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** What a file attached to an order shows. */
export const attachTypes = dictionary('ATTACH_TYPE', [
  'selfie',
  'id_front',
  'id_back',
  'liveness',
  'income',
  'contract',
  'other',
])

/** Records that files can belong to. */
export const attachTargets = [
  'order',
  'loanCode',
  'flow',
  'refund',
  'transfer',
  'consumption_record',
  'merchantRecharge',
] as const

const Attachment = z.object({
  attachNo: field.key(),
  uploadNo: field.key(),
  attachType: field.dict(attachTypes),
  fileName: field.text(200),
  fileSize: field.int(),
  /** As a header says it, `image/png`. */
  fileType: z.string(),
  uploadedByName: field.user(),
  uploadedTime: field.time(),
  /** A picture of a face or a document that the caller may not see. */
  hidden: z.boolean(),
  /** Why the caller may not remove it: a decision rests on it, or somebody else sent it. */
  kept: z.enum(['evidence', 'others']).nullable(),
})
export type Attachment = z.output<typeof Attachment>

const target = { objectType: z.enum(attachTargets), objectNo: field.key() }

/** The files of a record. */
export const attach = noun('common/attachment', {
  list: endpoint({
    method: 'POST',
    path: '/common/attach/list',
    input: z.strictObject(target),
    output: z.object({ list: z.array(Attachment) }),
  }),
  save: command({
    path: '/common/attach/save',
    perm: 'common:attach',
    audit: 'attach.save',
    on: { machine: upload, event: 'attach', key: 'uploadNo' },
    input: z.strictObject({ ...target, attachType: field.dict(attachTypes), uploadNo: field.file('attachment') }),
    output: Attachment,
  }),
  /** One's own; what others sent needs `common:attach:delete` besides. */
  remove: command({
    path: '/common/attach/delete',
    perm: 'common:attach',
    audit: 'attach.delete',
    on: { machine: upload, event: 'detach', key: 'uploadNo' },
    input: z.strictObject({ uploadNo: field.key() }),
    output: z.object({ attachNo: z.string() }),
  }),
})
