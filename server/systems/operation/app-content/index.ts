export { isContentImage } from './app-content.ts'
export { signContracts } from './app-contract.ts'
export { inviteSeen } from './app-invite.ts'
