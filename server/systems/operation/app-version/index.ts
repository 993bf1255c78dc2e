export { noteDeployment } from './deployment.ts'
export { versionSeen } from './version-list.ts'
