import { dictionary } from '../fields.ts'

/** Lists that can be written to a file; the value names the file. */
export const exportLists = dictionary('EXPORT_LIST', [
  'orders',
  'waitingOrders',
  'loanCodes',
  'loanLimits',
  'repayments',
  'flows',
  'announcementReaders',
  'sensitiveWords',
  'sensitiveWordHits',
  'reveals',
  'dictItems',
  'users',
  'refunds',
  'refundReviews',
  'auditPersons',
  'retrievals',
  'pricings',
  'transfers',
  'transferReviews',
  'listItems',
  'marketConversions',
  'marketProducts',
  'contactBlocks',
  'teleBlocks',
  'products',
  'stageProducts',
  'marketRecommends',
  'marketReviews',
  'messageTemplates',
  'barred',
  'vipMembers',
])

/** Lists that take files in; the value names the template. */
export const importLists = dictionary('IMPORT_LIST', [
  'releasedOrders',
  'sensitiveWords',
  'dictItems',
  'retrievals',
  'listItems',
  'contactBlocks',
  'teleBlocks',
  'barred',
])
