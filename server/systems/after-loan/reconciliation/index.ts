export { openDifference, type ReconKind } from './recon-item.ts'
