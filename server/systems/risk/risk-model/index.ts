export { baseModelNo } from './base-card.ts'
export { factValues } from './facts.ts'
export { type Answers, type Asked, askServices, type Decided, modelsOfOrder, scoreOrder } from './review.ts'
export { type Sealed, sealedKeys } from './score.ts'
