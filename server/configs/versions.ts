import type { Config } from '../../core/contract/config.ts'
import { requestsOf, versionApproval } from './version-approval.ts'
import { cancelVersion, drafting, saveVersion, submitVersion } from './version-commands.ts'
import { emergencies } from './version-emergency.ts'
import { versionEffect, versionList } from './version-reads.ts'
import { starting, startJob, startWarning } from './version-start.ts'
import type { VersionHooks, VersionParts } from './version-store.ts'
import { versionStore } from './version-store.ts'

/** The handlers of the versions of a config, and the job that puts them in force. */
export const serveVersions = (config: Config, given: VersionHooks, items: VersionParts['items']) => {
  const parts = { config, given, items, store: versionStore(config, given) }
  const start = starting(parts)
  const draft = drafting(parts)
  return {
    served: [
      saveVersion(parts, draft),
      submitVersion(parts),
      cancelVersion(parts),
      versionList(parts),
      versionEffect(parts),
    ],
    approvals: Object.values(requestsOf(parts)).map(request => versionApproval(parts, start, request)),
    job: startJob(parts, start),
    warning: startWarning(parts),
    draft,
    ...(config.versions?.emergency ? { emergency: emergencies(parts) } : {}),
  }
}
/** Handlers, approval, job and warning of the versions of one config. */
export type Versions = ReturnType<typeof serveVersions>
