import { z } from 'zod'
import { upload as uploadMachine } from '../../rules/machines/platform/upload.ts'
import { chunkBytes, purposeNames } from '../../rules/upload.ts'
import { command, endpoint, noun } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Why a finished upload is refused after its content was inspected. */
export const uploadRefusals = dictionary('UPLOAD_REFUSAL', [
  'hash',
  'format',
  'not_image',
  'image_size',
  'pixels',
  'damaged',
  'active',
  'unpacked',
])

const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/, 'validation.wrongValue')
const perm = 'common:upload'

const Progress = z.object({
  uploadNo: field.key(),
  uploadStatus: field.state(uploadMachine),
  /** Numbers of the pieces that are stored, from 0. */
  chunks: z.array(z.int()),
})
export type Progress = z.output<typeof Progress>

/** A file that passed its checks. */
const Ready = z.object({
  uploadNo: field.key(),
  uploadStatus: field.state(uploadMachine),
  fileName: field.text(200),
  /** Bytes as stored: an image is re-encoded, without its metadata. */
  fileSize: field.int(),
  sha256: z.string(),
  width: field.int().nullable(),
  height: field.int().nullable(),
})
export type Ready = z.output<typeof Ready>

/** Headers that a piece of a file is sent with. */
export const chunkHeaders = {
  token: 'Upload-Token',
  sha256: 'Chunk-Sha256',
} as const

/** A file on its way: a token for one upload, its pieces in any order, and its end, when the file is looked at. */
export const upload = noun('common/upload', {
  /** Asked again for the same file, it answers the upload that was begun, and the pieces that are there. */
  token: endpoint({
    method: 'GET',
    path: '/common/upload/token',
    perm,
    writes: true,
    on: { machine: uploadMachine, event: 'upload.token', key: 'uploadNo' },
    input: z.strictObject({
      purpose: z.enum(purposeNames),
      fileName: z.string().trim().min(1, 'validation.contentEmpty').max(1_000),
      size: z.coerce.number<number>().int().min(0).max(1_000_000_000_000),
      sha256: sha256(),
    }),
    output: Progress.extend({
      /** Good for ten minutes, for this upload and this person. */
      token: z.string(),
      expireTime: field.time(),
      chunkBytes: z.int(),
      chunkCount: z.int(),
    }),
  }),
  chunk: endpoint({
    method: 'PUT',
    path: '/common/upload/{uploadNo}/chunk/{chunkNo}',
    perm,
    writes: true,
    bytes: chunkBytes,
    headers: {
      [chunkHeaders.token]: 'The token of this upload',
      [chunkHeaders.sha256]: 'SHA-256 of the piece in hex',
    },
    input: z.strictObject({ uploadNo: field.key(), chunkNo: z.coerce.number<number>().int().min(0).max(100_000) }),
    output: Progress,
  }),
  complete: command({
    path: '/common/upload/complete',
    perm,
    audit: 'upload.complete',
    on: { machine: uploadMachine, event: 'upload.complete', key: 'uploadNo' },
    input: z.strictObject({ uploadNo: field.key() }),
    output: Ready,
  }),
  /** For its sender, and for those who may see the record that it belongs to. */
  file: endpoint({
    method: 'GET',
    path: '/common/upload/{uploadNo}/file',
    writes: true,
    file: true,
    input: z.strictObject({ uploadNo: field.key() }),
    output: z.null(),
  }),
})
