export { explainDifference, openDifference, type ReconKind } from './recon-item.ts'
