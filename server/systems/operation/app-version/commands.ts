import { sql } from 'kysely'
import { appVersion } from '../../../../core/contract/operation/app-version.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { json } from '../../../db/json.ts'
import { type UploadFiles, uploadFiles } from '../../../files/uploads/files.ts'
import { findUpload } from '../../../files/uploads/store.ts'
import { attachUpload, keepAsEvidence, lockReady } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, type Served, serve, serveWork } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { scope } from '../../../rights/scope.ts'
import { changes } from '../../../states/changes.ts'
import { create, transition } from '../../../states/transition.ts'
import { lockVersion, oneAtATime, type Version } from './store.ts'
import { versionBlocks } from './version-blocks.ts'
import { versionSeen } from './version-list.ts'

const perm = appVersion.release.perm as string
const objectType = 'app_version'

/** Refuses an app that is none of those whose merchants the caller serves. */
const checkApp = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, appCode: string) => {
  const found = await tx.maybe(sql`
    select 1 from merchant m where m.app_name = ${appCode} and ${scope(session, { merchant: 'm.merchant_no', holder: () => sql`true`, perm })} limit 1`)
  if (!found) throw invalid('appCode', 'validation.wrongValue')
}

const checkCode = async (tx: Tx, appCode: string, os: string, versionCode: number) => {
  const { top } = await tx.one(sql<{ top: number }>`
    select coalesce(max(version_code), 0) as top from app_version where app_code = ${appCode} and os = ${os}`)
  if (versionCode <= top) throw invalid('versionCode', 'validation.versionCodeAbove', { top })
}

/** The package as it lies on disk, from now on kept with its version. */
const keepPackage = async (tx: Tx, uploadNo: string, versionNo: string, actor: Actor) => {
  const { fileSize, fileSha256 } = await lockReady(tx, uploadNo, { purpose: 'package', userNo: actor.no })
  await attachUpload(tx, uploadNo, 'appVersion', versionNo, actor)
  await tx.flush()
  await keepAsEvidence(tx, { objectType: 'appVersion', objectNo: versionNo, decision: versionNo })
  return { packageFileNo: uploadNo, packageSize: fileSize, sha256: fileSha256 }
}

const save = serve(appVersion.save, async call => {
  const { tx, input, actor, audit } = call
  const { packageFileNo, storeUrl, minVersionCode, releaseNotes, ...named } = input
  await checkApp(call, named.appCode)
  await oneAtATime(tx, named.appCode, named.os)
  await checkCode(tx, named.appCode, named.os, named.versionCode)
  const versionNo = newNo('AV', tx.now)
  const file = packageFileNo ? await keepPackage(tx, packageFileNo, versionNo, actor) : {}
  const values = { versionNo, ...named, ...file, storeUrl: storeUrl ?? null, minVersionCode: minVersionCode ?? null }
  const by = { createdBy: actor.no, createdName: actor.name, createdTime: tx.now }
  try {
    const row = { ...values, releaseNotes: json(releaseNotes), ...by }
    await create(tx, 'appVersion', row, { event: 'version.save' }, actor)
    await tx.flush()
  } catch (error) {
    if (violatedConstraint(error)?.endsWith('version_name_key')) throw invalid('versionName', 'validation.versionTaken')
    throw error
  }
  audit({ objectType, objectNo: versionNo, after: values })
  return { versionNo }
})

type Asked = { versionNo: string; version: number }
type Command = typeof appVersion.release | typeof appVersion.widen | typeof appVersion.withdraw

/** A version within the data rule, locked, seen as it is, and in a state for what is asked. */
const held = async (call: Pick<Call<Asked>, 'tx' | 'session' | 'input'>, command: Command): Promise<Version> => {
  const { tx, session, input } = call
  const row = await lockVersion(tx, input.versionNo, versionSeen(session, perm))
  if (!row) throw notFound()
  checkVersion(row, input.version)
  await versionBlocks.check(call, command, row.versionNo)
  return row
}

const watched = ({ versionStatus, grayPercent, forceUpdate }: Version) => ({ versionStatus, grayPercent, forceUpdate })
const noted = (call: Call<Asked>, before: Version, after: Version, reason?: string) =>
  call.audit({
    objectType,
    objectNo: before.versionNo,
    ...changes(watched(before), watched(after)),
    ...(reason ? { reason } : {}),
  })

type Terms = { grayPercent: number; forceUpdate: boolean }

const released = (tx: Tx, row: Version, { grayPercent, forceUpdate }: Terms, actor: Actor): Promise<Version> =>
  transition(
    tx,
    'appVersion',
    row,
    { event: 'version.release', set: { grayPercent, forceUpdate, releaseTime: tx.now } },
    actor,
  )

/** Whether phones could go on with what they have until now, and could not once this version is out. */
const raisesLeast = async (tx: Tx, { appCode, os, minVersionCode }: Version): Promise<boolean> =>
  minVersionCode !== null &&
  (await tx.maybe(sql`
    select 1 from app_version where app_code = ${appCode} and os = ${os} and version_status = 'released' and min_version_code >= ${minVersionCode} limit 1`)) ===
    undefined

/** Asks a second person: devices with an older version cannot go on without a forced one. */
const askForced = (call: Call<Asked>, row: Version, terms: Terms): Promise<string> => {
  const line = (label: string, after: string) => ({ label, before: null, after })
  return requestApproval(call, {
    action: 'appVersion.release',
    perm,
    objectType,
    objectNo: row.versionNo,
    version: row.version,
    payload: { ...terms, version: row.version },
    summary: [
      line('fields.appCode', row.appCode),
      line('fields.os', `dict.APP_OS.${row.os}`),
      line('fields.versionName', `${row.versionName} (${row.versionCode})`),
      line('fields.grayPercent', `${terms.grayPercent} %`),
      line('fields.forceUpdate', terms.forceUpdate ? 'common.yes' : 'common.no'),
      ...(row.minVersionCode === null ? [] : [line('fields.minVersionCode', String(row.minVersionCode))]),
      ...(row.sha256 ? [line('fields.sha256', row.sha256)] : []),
    ],
  })
}

/** Lets phones have a version, after its package was read again: it is still what was shown. */
const releaseServed = (files: UploadFiles): Served =>
  serveWork(appVersion.release, {
    before: async call => {
      const { packageFileNo, sha256 } = await held(call, appVersion.release)
      return { fileId: packageFileNo ? (await findUpload(call.tx, packageFileNo)).fileId : null, sha256 }
    },
    work: async ({ fileId, sha256 }) => ({ isSame: !fileId || (await files.measure(fileId))?.sha256 === sha256 }),
    after: async (call, { isSame }) => {
      const { tx, input, actor } = call
      const row = await held(call, appVersion.release)
      if (!isSame) throw new Fault('stateConflict', 'errors.packageChanged', {}, { status: row.versionStatus })
      const { grayPercent, forceUpdate } = input
      if (forceUpdate || (await raisesLeast(tx, row))) {
        const approvalNo = await askForced(call, row, { grayPercent, forceUpdate })
        call.audit({ objectType, objectNo: row.versionNo, after: { grayPercent, forceUpdate, approvalNo } })
        return { versionStatus: 'draft' as const, approvalNo }
      }
      const moved = await released(tx, row, { grayPercent, forceUpdate }, actor)
      noted(call, row, moved)
      return { versionStatus: 'released' as const, approvalNo: null }
    },
  })

/** A second person agrees to a forced update. */
export const releaseApproval: ApprovalAction = {
  action: 'appVersion.release',
  perm,
  money: false,
  async execute(tx, { objectNo, payload, checker }) {
    const row = await lockVersion(tx, objectNo, sql`true`)
    if (!row) throw notFound()
    const { version, ...terms } = payload as Terms & { version: number }
    checkVersion(row, version)
    await released(tx, row, terms, checker)
  },
}

const widen = serve(appVersion.widen, async call => {
  const { tx, input, actor } = call
  const row = await held(call, appVersion.widen)
  const { grayPercent } = input
  const now = row.grayPercent ?? 0
  if (grayPercent <= now) throw invalid('grayPercent', 'validation.onlyWider', { now })
  const moved = await transition(tx, 'appVersion', row, { event: 'version.widen', set: { grayPercent } }, actor)
  noted(call, row, moved)
  return { version: moved.version }
})

const withdraw = serve(appVersion.withdraw, async call => {
  const { tx, input, actor } = call
  const row = await held(call, appVersion.withdraw)
  const set = { withdrawReason: input.reason }
  const move = { event: 'version.withdraw', set, payload: { reason: input.reason } }
  const moved = await transition(tx, 'appVersion', row, move, actor)
  noted(call, row, moved, input.reason)
  return { version: moved.version }
})

/** What release managers do; packages lie in `dir`. */
export const commandsFor = (dir: string): readonly Served[] => [save, releaseServed(uploadFiles(dir)), widen, withdraw]
