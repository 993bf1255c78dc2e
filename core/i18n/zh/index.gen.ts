// Written by `npm run texts`; do not edit.
import actions from './actions.json'
import boot from './boot.json'
import common from './common.json'
import errors from './errors.json'
import validation from './validation.json'

/** What everybody may read, also before the sign-in. */
export const shared = {
  ...actions,
  ...boot,
  ...common,
  ...errors,
  ...validation,
}

/** What comes with the first call of a signed-in person. */
export const work = () => import('./work.gen.ts')

/** What comes with the calls of a noun, or with any of its system. */
export const nouns = {
  'after-loan/bank-batch': () => import('./after-loan/bank-batch.json'),
  'after-loan/ledger': () => import('./after-loan/ledger.json'),
  'after-loan/loan': () => import('./after-loan/loan.json'),
  'after-loan/reconciliation': () => import('./after-loan/reconciliation.json'),
  'after-loan/repayment': () => import('./after-loan/repayment.json'),
  'after-loan/system': () => import('./after-loan/system.json'),
  'after-loan/titles': () => import('./after-loan/titles.json'),
  'appraisal/titles': () => import('./appraisal/titles.json'),
  'audit/allotment': () => import('./audit/allotment.json'),
  'audit/order-list': () => import('./audit/order-list.json'),
  'audit/order-short': () => import('./audit/order-short.json'),
  'audit/question': () => import('./audit/question.json'),
  'audit/queue': () => import('./audit/queue.json'),
  'audit/review': () => import('./audit/review.json'),
  'audit/system': () => import('./audit/system.json'),
  'audit/titles': () => import('./audit/titles.json'),
  'charge/refund': () => import('./charge/refund.json'),
  'charge/system': () => import('./charge/system.json'),
  'charge/titles': () => import('./charge/titles.json'),
  'collection/titles': () => import('./collection/titles.json'),
  'common/attachment': () => import('./common/attachment.json'),
  'common/business-config': () => import('./common/business-config.json'),
  'common/common': () => import('./common/common.json'),
  'common/system': () => import('./common/system.json'),
  'marketing/titles': () => import('./marketing/titles.json'),
  'merchant/maturity': () => import('./merchant/maturity.json'),
  'merchant/titles': () => import('./merchant/titles.json'),
  'operation/announcement': () => import('./operation/announcement.json'),
  'operation/announcement-manage': () => import('./operation/announcement-manage.json'),
  'operation/hotline': () => import('./operation/hotline.json'),
  'operation/merchant': () => import('./operation/merchant.json'),
  'operation/sensitive-info': () => import('./operation/sensitive-info.json'),
  'operation/sensitive-word': () => import('./operation/sensitive-word.json'),
  'operation/system': () => import('./operation/system.json'),
  'operation/titles': () => import('./operation/titles.json'),
  'operation/verify-code': () => import('./operation/verify-code.json'),
  'order/intake': () => import('./order/intake.json'),
  'order/order': () => import('./order/order.json'),
  'order/order-brief': () => import('./order/order-brief.json'),
  'order/system': () => import('./order/system.json'),
  'order/titles': () => import('./order/titles.json'),
  'portal/home': () => import('./portal/home.json'),
  'portal/login': () => import('./portal/login.json'),
  'portal/message': () => import('./portal/message.json'),
  'portal/portal': () => import('./portal/portal.json'),
  'portal/system': () => import('./portal/system.json'),
  'portal/titles': () => import('./portal/titles.json'),
  'portal/warning': () => import('./portal/warning.json'),
  'quality/titles': () => import('./quality/titles.json'),
  'report/titles': () => import('./report/titles.json'),
  'risk/titles': () => import('./risk/titles.json'),
  'schedule/leave': () => import('./schedule/leave.json'),
  'schedule/titles': () => import('./schedule/titles.json'),
  'service/titles': () => import('./service/titles.json'),
  'supermarket/titles': () => import('./supermarket/titles.json'),
  'telemarketing/base-option': () => import('./telemarketing/base-option.json'),
  'telemarketing/titles': () => import('./telemarketing/titles.json'),
  'user/dept': () => import('./user/dept.json'),
  'user/dictionary': () => import('./user/dictionary.json'),
  'user/language': () => import('./user/language.json'),
  'user/people': () => import('./user/people.json'),
  'user/role': () => import('./user/role.json'),
  'user/sign-in': () => import('./user/sign-in.json'),
  'user/system': () => import('./user/system.json'),
  'user/titles': () => import('./user/titles.json'),
  'user/user': () => import('./user/user.json'),
}
