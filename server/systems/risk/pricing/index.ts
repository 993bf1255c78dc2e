export { type Grid, gridsInForce, priceOf } from './grids.ts'
