import { builtPages } from '../core/contract/page-table.ts'
import type { Page } from '../core/contract/pages.ts'
import type { PropType } from '../core/element/properties.ts'
import type { Screen } from '../core/engine/screen.ts'

type Load = () => Promise<{ default: Screen }>

/** The file of each page, by its tag; everything else about a page stands in its route. */
const files: Record<string, Load> = {
  'mkopo-portal-login': () => import('./portal/login.tsx'),
  'mkopo-portal-home': () => import('./portal/home.tsx'),
  'mkopo-portal-warning-notify': () => import('./portal/warning-notify.tsx'),
  'mkopo-order-order-detail': () => import('./order/order-detail.tsx'),
  'mkopo-order-order-audit': () => import('./order/order-audit.tsx'),
  'mkopo-audit-order-allocation': () => import('./audit/order-allocation.tsx'),
  'mkopo-audit-my-audit': () => import('./audit/my-audit.tsx'),
  'mkopo-audit-order-management': () => import('./audit/order-management.tsx'),
  'mkopo-audit-order-management-abridgment': () => import('./audit/order-management-abridgment.tsx'),
  'mkopo-audit-audit-personnel': () => import('./audit/audit-personnel.tsx'),
  'mkopo-audit-audit-configuration': () => import('./audit/audit-configuration.tsx'),
  'mkopo-audit-machine-review-retrieval': () => import('./audit/machine-review-retrieval.tsx'),
  'mkopo-audit-reject-order-review-config': () => import('./audit/reject-order-review-config.tsx'),
  'mkopo-audit-reject-order-review': () => import('./audit/reject-order-review.tsx'),
  'mkopo-after-loan-loan-management': () => import('./after-loan/loan-management.tsx'),
  'mkopo-after-loan-automatic-loan-cancel-config': () => import('./after-loan/automatic-loan-cancel-config.tsx'),
  'mkopo-after-loan-auto-settlement-config': () => import('./after-loan/auto-settlement-config.tsx'),
  'mkopo-after-loan-auto-write-off-amount-config': () => import('./after-loan/auto-write-off-amount-config.tsx'),
  'mkopo-after-loan-balance-management': () => import('./after-loan/balance-management.tsx'),
  'mkopo-after-loan-loaner-management': () => import('./after-loan/loaner-management.tsx'),
  'mkopo-after-loan-repayment-account-management': () => import('./after-loan/repayment-account-management.tsx'),
  'mkopo-after-loan-loan-routing': () => import('./after-loan/routing/loan-routing.tsx'),
  'mkopo-after-loan-repayment-management': () => import('./after-loan/repayment-management.tsx'),
  'mkopo-after-loan-repayment-management-new': () => import('./after-loan/repayment-management-new.tsx'),
  'mkopo-after-loan-flow-record-supplement': () => import('./after-loan/supplement/flow-record-supplement.tsx'),
  'mkopo-after-loan-reconciliation-management': () => import('./after-loan/recon/reconciliation-management.tsx'),
  'mkopo-after-loan-wallet-records': () => import('./after-loan/wallet-records.tsx'),
  'mkopo-service-customer-service-coupon-config': () => import('./service/customer-service-coupon-config.tsx'),
  'mkopo-service-customer-service-coupon-audit': () => import('./service/customer-service-coupon-audit.tsx'),
  'mkopo-service-my-customer-service-coupon-apply': () => import('./service/my-customer-service-coupon-apply.tsx'),
  'mkopo-charge-client-refund-management': () => import('./charge/client-refund-management.tsx'),
  'mkopo-charge-client-refund-audit-management': () => import('./charge/client-refund-audit-management.tsx'),
  'mkopo-charge-cash-transfer-apply-for': () => import('./charge/cash-transfer-apply-for.tsx'),
  'mkopo-charge-cash-transfer-audit': () => import('./charge/cash-transfer-audit.tsx'),
  'mkopo-operation-announcement-management': () => import('./operation/announcement-management.tsx'),
  'mkopo-telemarketing-base-type-option': () => import('./telemarketing/base-type-option.tsx'),
  'mkopo-user-role-management': () => import('./user/role-management.tsx'),
  'mkopo-user-user-management': () => import('./user/user-management.tsx'),
  'mkopo-user-department-management': () => import('./user/department-management.tsx'),
  'mkopo-user-menu-management': () => import('./user/menu-management.tsx'),
  'mkopo-user-multi-language-configuration': () => import('./user/multi-language-configuration.tsx'),
  'mkopo-user-data-dictionary': () => import('./user/data-dictionary.tsx'),
  'mkopo-marketing-sms-marketing-task': () => import('./marketing/sms-marketing-task.tsx'),
  'mkopo-marketing-unrenewed-loan-sms-config': () => import('./marketing/unrenewed-loan-sms-config.tsx'),
  'mkopo-marketing-sms-marketing-template': () => import('./marketing/sms-marketing-template.tsx'),
  'mkopo-operation-message-template-configuration': () => import('./operation/message-template-configuration.tsx'),
  'mkopo-operation-sms-router-config': () => import('./operation/sms-router-config.tsx'),
  'mkopo-operation-marketing-sms-router-config': () => import('./operation/marketing-sms-router-config.tsx'),
  'mkopo-operation-business-node': () => import('./operation/business-node.tsx'),
  'mkopo-operation-employee-phone-bill-recharge': () => import('./operation/employee-phone-bill-recharge.tsx'),
  'mkopo-operation-sensitive-word-config': () => import('./operation/sensitive-word-config.tsx'),
  'mkopo-operation-app-versions-management': () => import('./operation/app-versions-management.tsx'),
  'mkopo-operation-app-content-management': () => import('./operation/app-content-management.tsx'),
  'mkopo-operation-customer-service-hotline-management': () =>
    import('./operation/customer-service-hotline-management.tsx'),
  'mkopo-operation-organization-merchant-management': () => import('./operation/organization-merchant-management.tsx'),
  'mkopo-operation-sensitive-info-config': () => import('./operation/sensitive-info-config.tsx'),
  'mkopo-operation-verification-code-management': () => import('./operation/verification-code-management.tsx'),
  'mkopo-risk-rule-set': () => import('./risk/rule-set.tsx'),
  'mkopo-risk-list-management': () => import('./risk/list-management.tsx'),
  'mkopo-operation-temporary-credit-limit-issuance': () => import('./operation/temporary-credit-limit-issuance.tsx'),
  'mkopo-operation-activities-configuration': () => import('./operation/activities-configuration.tsx'),
  'mkopo-operation-coupon-code-management': () => import('./operation/coupon-code-management.tsx'),
  'mkopo-operation-message-center-app-management': () => import('./operation/message-center-app-management.tsx'),
  'mkopo-operation-traffic-personnel': () => import('./operation/traffic-personnel.tsx'),
  'mkopo-operation-launch-management': () => import('./operation/launch-management.tsx'),
  'mkopo-operation-supermarket-platforms': () => import('./operation/supermarket-platforms.tsx'),
  'mkopo-supermarket-loan-supermarket-recommend-product-management': () =>
    import('./supermarket/loan-supermarket-recommend-product-management.tsx'),
  'mkopo-supermarket-loan-supermarket-vip-level-management': () =>
    import('./supermarket/loan-supermarket-vip-level-management.tsx'),
  'mkopo-supermarket-review-data-maintain': () => import('./supermarket/review-data-maintain.tsx'),
  'mkopo-supermarket-loan-supermarket-product-management': () =>
    import('./supermarket/loan-supermarket-product-management.tsx'),
  'mkopo-risk-risk-control-model': () => import('./risk/risk-control-model.tsx'),
  'mkopo-risk-risk-pricing-configuration': () => import('./risk/risk-pricing-configuration.tsx'),
  'mkopo-merchant-artificial-blacklist-library': () => import('./merchant/artificial-blacklist-library.tsx'),
  'mkopo-merchant-consumption-type-config': () => import('./merchant/consumption-type-config.tsx'),
  'mkopo-merchant-consumption-record': () => import('./merchant/consumption-record.tsx'),
  'mkopo-merchant-recharge-record': () => import('./merchant/recharge-record.tsx'),
  'mkopo-merchant-order-acquire-management': () => import('./merchant/order-acquire-management.tsx'),
  'mkopo-merchant-contact-blacklist': () => import('./merchant/contact-blacklist.tsx'),
  'mkopo-telemarketing-tele-marketing-black-list': () => import('./telemarketing/tele-marketing-black-list.tsx'),
  'mkopo-operation-merchant-loan-amount-management': () => import('./operation/merchant-loan-amount-management.tsx'),
  'mkopo-operation-product-config': () => import('./operation/product-config.tsx'),
  'mkopo-operation-product-config-new': () => import('./operation/product-config-new.tsx'),
  'mkopo-merchant-merchant-config-management': () => import('./merchant/merchant-config-management.tsx'),
  'mkopo-merchant-maturity-config-management': () => import('./merchant/maturity-config-management.tsx'),
}

/** Attributes of single pages besides those of all. */
const props: Record<string, Record<string, PropType>> = {
  'mkopo-portal-login': {
    displacedTime: 'string',
    displacedFrom: 'string',
    link: 'string',
    slideWanted: 'string',
    present: 'string',
  },
  'mkopo-portal-home': { tiles: 'string', recent: 'string' },
}

/** A custom element of the library: its route, how to fetch its screen, and what it takes besides. */
export type Widget = Page & { load: Load; props?: Record<string, PropType> }

export const widgets: readonly Widget[] = builtPages.map(page => {
  const load = files[page.tag]
  if (!load) throw new Error(`${page.tag} has no file`)
  return { ...page, load, ...(props[page.tag] ? { props: props[page.tag] } : {}) }
})
