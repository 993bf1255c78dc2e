import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { lockVersion, oneAtATime } from './store.ts'

/** What the console is called among the apps. */
const consoleCode = 'mkopo'
const words = {
  zh: '随部署发布的控制台版本',
  en: 'Console version published by its deployment',
  sw: 'Toleo la dashibodi lililotolewa na usakinishaji wake',
}

/** Notes the version of the console that was deployed, once; nothing where it runs from its sources. */
export const noteDeployment = async (tx: Tx, versionName: string): Promise<void> => {
  if (versionName === 'development') return
  await oneAtATime(tx, consoleCode, 'console')
  const { top, isThere } = await tx.one(sql<{ top: number; isThere: boolean }>`
    select coalesce(max(version_code), 0) as top, coalesce(bool_or(version_name = ${versionName}), false) as is_there
    from app_version where app_code = ${consoleCode} and os = 'console'`)
  if (isThere) return
  const actor = system('deployment')
  const versionNo = newNo('AV', tx.now)
  const values = {
    ...{ versionNo, appCode: consoleCode, os: 'console', versionName, versionCode: top + 1 },
    ...{ releaseNotes: json(words), createdBy: actor.no, createdName: actor.name, createdTime: tx.now },
  }
  await create(tx, 'appVersion', values, { event: 'version.save' }, actor)
  await tx.flush()
  const row = await lockVersion(tx, versionNo, sql`true`)
  const set = { grayPercent: 100, releaseTime: tx.now }
  if (row) await transition(tx, 'appVersion', row, { event: 'version.release', set }, actor)
}
