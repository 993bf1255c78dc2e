export { codeText } from './code-text.ts'
export { contactCaps, contactWindow, nextMoment } from './contact-rules.ts'
export { amountInText, type Happened, happened } from './happened.ts'
export { withdrawOffers } from './replies.ts'
