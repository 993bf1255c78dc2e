import { createHash } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { androidType } from '../../files/uploads/content/android-package.ts'
import { packageOf } from '../../files/uploads/content/made-package.ts'
import { newFileId, uploadDirectory, uploadFiles } from '../../files/uploads/files.ts'
import { expireAfter, findUpload } from '../../files/uploads/store.ts'
import { attachUpload, keepAsEvidence } from '../../files/uploads/stored.ts'
import { newNo } from '../../money/numbers.ts'
import type { Actor } from '../../rights/actor.ts'
import { create, transition } from '../../states/transition.ts'

/** The package of a version: always the same bytes, about a megabyte and a half. */
const bytesOf = (appCode: string, versionName: string) => packageOf(`${appCode} ${versionName} `.repeat(45_000))

type Named = { versionNo: string; appCode: string; versionName: string }

/** The upload of a version's package, which the version keeps; its bytes are written by {@link keepPackages}. */
export const writePackage = async (tx: Tx, { versionNo, appCode, versionName }: Named, actor: Actor) => {
  const bytes = bytesOf(appCode, versionName)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const uploadNo = newNo('UP', tx.now)
  const values = {
    ...{ uploadNo, userNo: actor.no, purpose: 'package', extension: 'apk', size: bytes.length, sha256 },
    ...{ fileName: `${appCode.toLowerCase()}-${versionName}.apk`, chunkBytes: 10_485_760, fileId: newFileId() },
    ...{ createdTime: tx.now, expireTime: expireAfter(tx.now) },
  }
  await create(tx, 'upload', values, { event: 'upload.token' }, actor)
  await tx.flush()
  let row = await findUpload(tx, uploadNo)
  for (const event of ['upload.chunk', 'upload.complete']) row = await transition(tx, 'upload', row, { event }, actor)
  const set = { fileType: androidType, fileSize: bytes.length, fileSha256: sha256 }
  await transition(tx, 'upload', row, { event: 'scan.ok', set }, actor)
  await tx.flush()
  await attachUpload(tx, uploadNo, 'appVersion', versionNo, actor)
  await tx.flush()
  await keepAsEvidence(tx, { objectType: 'appVersion', objectNo: versionNo, decision: versionNo })
  return { packageFileNo: uploadNo, packageSize: bytes.length, sha256, storeUrl: null }
}

/** Puts the bytes of the demo's packages where those of people lie. */
export const keepPackages = async (db: Database, dataDir: string): Promise<void> => {
  const files = uploadFiles(path.join(dataDir, uploadDirectory))
  const rows = await db.read(tx =>
    tx.rows(sql<Named & { fileId: string }>`
      select x.version_no, x.app_code, x.version_name, u.file_id from app_version x join upload u on u.upload_no = x.package_file_no
      where u.file_name = lower(x.app_code) || '-' || x.version_name || '.apk'`),
  )
  for (const { fileId, appCode, versionName } of rows)
    if ((await files.measure(fileId)) === null) await files.keepWhole(fileId, [bytesOf(appCode, versionName)])
}
