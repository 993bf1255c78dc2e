// Written by `npm run texts`; do not edit.
import actions from './actions.json'
import afterLoanAutoCancel from './after-loan/auto-cancel.json'
import afterLoanAutoSettle from './after-loan/auto-settle.json'
import afterLoanAutoWriteOff from './after-loan/auto-write-off.json'
import afterLoanBalance from './after-loan/balance.json'
import afterLoanBankBatch from './after-loan/bank-batch.json'
import afterLoanDelayedArrival from './after-loan/delayed-arrival.json'
import afterLoanFundAccount from './after-loan/fund-account.json'
import afterLoanJob from './after-loan/job.json'
import afterLoanLedger from './after-loan/ledger.json'
import afterLoanLoan from './after-loan/loan.json'
import afterLoanLoanRoute from './after-loan/loan-route.json'
import afterLoanPayLink from './after-loan/pay-link.json'
import afterLoanReceipt from './after-loan/receipt.json'
import afterLoanReconciliation from './after-loan/reconciliation.json'
import afterLoanRepayment from './after-loan/repayment.json'
import afterLoanSupplement from './after-loan/supplement.json'
import afterLoanSystem from './after-loan/system.json'
import afterLoanTitles from './after-loan/titles.json'
import afterLoanWallet from './after-loan/wallet.json'
import appraisalTitles from './appraisal/titles.json'
import auditAllotment from './audit/allotment.json'
import auditOrderList from './audit/order-list.json'
import auditOrderShort from './audit/order-short.json'
import auditPerson from './audit/person.json'
import auditQuestion from './audit/question.json'
import auditQueue from './audit/queue.json'
import auditReReview from './audit/re-review.json'
import auditReReviewConfig from './audit/re-review-config.json'
import auditRetrieval from './audit/retrieval.json'
import auditReview from './audit/review.json'
import auditSystem from './audit/system.json'
import auditTitles from './audit/titles.json'
import boot from './boot.json'
import chargeRefund from './charge/refund.json'
import chargeSystem from './charge/system.json'
import chargeTitles from './charge/titles.json'
import chargeTransfer from './charge/transfer.json'
import collectionTitles from './collection/titles.json'
import common from './common.json'
import commonApproval from './common/approval.json'
import commonAttachment from './common/attachment.json'
import commonBusinessConfig from './common/business-config.json'
import commonCommon from './common/common.json'
import commonExports from './common/exports.json'
import commonImports from './common/imports.json'
import commonPersonnel from './common/personnel.json'
import commonSystem from './common/system.json'
import config from './config.json'
import errors from './errors.json'
import fields from './fields.json'
import list from './list.json'
import marketingOptOut from './marketing/opt-out.json'
import marketingSmsTask from './marketing/sms-task.json'
import marketingSmsTemplate from './marketing/sms-template.json'
import marketingSystem from './marketing/system.json'
import marketingTitles from './marketing/titles.json'
import marketingUnrenewed from './marketing/unrenewed.json'
import marketingUserGroup from './marketing/user-group.json'
import merchantBlacklist from './merchant/blacklist.json'
import merchantConsumption from './merchant/consumption.json'
import merchantConsumptionType from './merchant/consumption-type.json'
import merchantContactBlock from './merchant/contact-block.json'
import merchantMaturity from './merchant/maturity.json'
import merchantMerchantConfig from './merchant/merchant-config.json'
import merchantOrderAcquire from './merchant/order-acquire.json'
import merchantPaymentDisplay from './merchant/payment-display.json'
import merchantRecharge from './merchant/recharge.json'
import merchantSystem from './merchant/system.json'
import merchantTitles from './merchant/titles.json'
import operationActivity from './operation/activity.json'
import operationAnnouncement from './operation/announcement.json'
import operationAnnouncementManage from './operation/announcement-manage.json'
import operationAppContent from './operation/app-content.json'
import operationAppContract from './operation/app-contract.json'
import operationAppInvite from './operation/app-invite.json'
import operationAppVersion from './operation/app-version.json'
import operationBusinessNode from './operation/business-node.json'
import operationCoupon from './operation/coupon.json'
import operationHotline from './operation/hotline.json'
import operationLaunch from './operation/launch.json'
import operationLoanLimit from './operation/loan-limit.json'
import operationMerchant from './operation/merchant.json'
import operationMessageCenter from './operation/message-center.json'
import operationMessageTemplate from './operation/message-template.json'
import operationPhoneBill from './operation/phone-bill.json'
import operationProduct from './operation/product.json'
import operationSensitiveInfo from './operation/sensitive-info.json'
import operationSensitiveWord from './operation/sensitive-word.json'
import operationSmsRouter from './operation/sms-router.json'
import operationSystem from './operation/system.json'
import operationTempQuota from './operation/temp-quota.json'
import operationTitles from './operation/titles.json'
import operationTraffic from './operation/traffic.json'
import operationVerifyCode from './operation/verify-code.json'
import orderCollected from './order/collected.json'
import orderIntake from './order/intake.json'
import orderOrder from './order/order.json'
import orderOrderBrief from './order/order-brief.json'
import orderSystem from './order/system.json'
import orderTitles from './order/titles.json'
import portalHome from './portal/home.json'
import portalLogin from './portal/login.json'
import portalMessage from './portal/message.json'
import portalPortal from './portal/portal.json'
import portalSystem from './portal/system.json'
import portalTitles from './portal/titles.json'
import portalWarning from './portal/warning.json'
import qualityTitles from './quality/titles.json'
import reportTitles from './report/titles.json'
import riskCutoff from './risk/cutoff.json'
import riskLegalCap from './risk/legal-cap.json'
import riskNameList from './risk/name-list.json'
import riskPlan from './risk/plan.json'
import riskPricing from './risk/pricing.json'
import riskRiskModel from './risk/risk-model.json'
import riskRuleSet from './risk/rule-set.json'
import riskRuleTest from './risk/rule-test.json'
import riskSystem from './risk/system.json'
import riskTitles from './risk/titles.json'
import scheduleLeave from './schedule/leave.json'
import scheduleTitles from './schedule/titles.json'
import serverDict from './server/dict.json'
import serverDictionaries from './server/dictionaries.json'
import serverErrors from './server/errors.json'
import serverLetters from './server/letters.json'
import serverMachines from './server/machines.json'
import serverMessages from './server/messages.json'
import serverPayPage from './server/pay-page.json'
import serverPermissions from './server/permissions.json'
import serverValidation from './server/validation.json'
import serverWarnings from './server/warnings.json'
import serviceServiceCoupon from './service/service-coupon.json'
import serviceTitles from './service/titles.json'
import supermarketMarketProduct from './supermarket/market-product.json'
import supermarketPlatform from './supermarket/platform.json'
import supermarketRecommend from './supermarket/recommend.json'
import supermarketReview from './supermarket/review.json'
import supermarketSystem from './supermarket/system.json'
import supermarketTitles from './supermarket/titles.json'
import supermarketVip from './supermarket/vip.json'
import telemarketingBaseOption from './telemarketing/base-option.json'
import telemarketingBlacklist from './telemarketing/blacklist.json'
import telemarketingTitles from './telemarketing/titles.json'
import userDept from './user/dept.json'
import userDictionary from './user/dictionary.json'
import userEmbed from './user/embed.json'
import userLanguage from './user/language.json'
import userMenu from './user/menu.json'
import userPeople from './user/people.json'
import userRole from './user/role.json'
import userSignIn from './user/sign-in.json'
import userSystem from './user/system.json'
import userTitles from './user/titles.json'
import userUser from './user/user.json'
import validation from './validation.json'

/** Every text. */
export const all = {
  ...actions,
  ...afterLoanAutoCancel,
  ...afterLoanAutoSettle,
  ...afterLoanAutoWriteOff,
  ...afterLoanBalance,
  ...afterLoanBankBatch,
  ...afterLoanDelayedArrival,
  ...afterLoanFundAccount,
  ...afterLoanJob,
  ...afterLoanLedger,
  ...afterLoanLoan,
  ...afterLoanLoanRoute,
  ...afterLoanPayLink,
  ...afterLoanReceipt,
  ...afterLoanReconciliation,
  ...afterLoanRepayment,
  ...afterLoanSupplement,
  ...afterLoanSystem,
  ...afterLoanTitles,
  ...afterLoanWallet,
  ...appraisalTitles,
  ...auditAllotment,
  ...auditOrderList,
  ...auditOrderShort,
  ...auditPerson,
  ...auditQuestion,
  ...auditQueue,
  ...auditReReview,
  ...auditReReviewConfig,
  ...auditRetrieval,
  ...auditReview,
  ...auditSystem,
  ...auditTitles,
  ...boot,
  ...chargeRefund,
  ...chargeSystem,
  ...chargeTitles,
  ...chargeTransfer,
  ...collectionTitles,
  ...common,
  ...commonApproval,
  ...commonAttachment,
  ...commonBusinessConfig,
  ...commonCommon,
  ...commonExports,
  ...commonImports,
  ...commonPersonnel,
  ...commonSystem,
  ...config,
  ...errors,
  ...fields,
  ...list,
  ...marketingOptOut,
  ...marketingSmsTask,
  ...marketingSmsTemplate,
  ...marketingSystem,
  ...marketingTitles,
  ...marketingUnrenewed,
  ...marketingUserGroup,
  ...merchantBlacklist,
  ...merchantConsumption,
  ...merchantConsumptionType,
  ...merchantContactBlock,
  ...merchantMaturity,
  ...merchantMerchantConfig,
  ...merchantOrderAcquire,
  ...merchantPaymentDisplay,
  ...merchantRecharge,
  ...merchantSystem,
  ...merchantTitles,
  ...operationActivity,
  ...operationAnnouncement,
  ...operationAnnouncementManage,
  ...operationAppContent,
  ...operationAppContract,
  ...operationAppInvite,
  ...operationAppVersion,
  ...operationBusinessNode,
  ...operationCoupon,
  ...operationHotline,
  ...operationLaunch,
  ...operationLoanLimit,
  ...operationMerchant,
  ...operationMessageCenter,
  ...operationMessageTemplate,
  ...operationPhoneBill,
  ...operationProduct,
  ...operationSensitiveInfo,
  ...operationSensitiveWord,
  ...operationSmsRouter,
  ...operationSystem,
  ...operationTempQuota,
  ...operationTitles,
  ...operationTraffic,
  ...operationVerifyCode,
  ...orderCollected,
  ...orderIntake,
  ...orderOrder,
  ...orderOrderBrief,
  ...orderSystem,
  ...orderTitles,
  ...portalHome,
  ...portalLogin,
  ...portalMessage,
  ...portalPortal,
  ...portalSystem,
  ...portalTitles,
  ...portalWarning,
  ...qualityTitles,
  ...reportTitles,
  ...riskCutoff,
  ...riskLegalCap,
  ...riskNameList,
  ...riskPlan,
  ...riskPricing,
  ...riskRiskModel,
  ...riskRuleSet,
  ...riskRuleTest,
  ...riskSystem,
  ...riskTitles,
  ...scheduleLeave,
  ...scheduleTitles,
  ...serverDict,
  ...serverDictionaries,
  ...serverErrors,
  ...serverLetters,
  ...serverMachines,
  ...serverMessages,
  ...serverPayPage,
  ...serverPermissions,
  ...serverValidation,
  ...serverWarnings,
  ...serviceServiceCoupon,
  ...serviceTitles,
  ...supermarketMarketProduct,
  ...supermarketPlatform,
  ...supermarketRecommend,
  ...supermarketReview,
  ...supermarketSystem,
  ...supermarketTitles,
  ...supermarketVip,
  ...telemarketingBaseOption,
  ...telemarketingBlacklist,
  ...telemarketingTitles,
  ...userDept,
  ...userDictionary,
  ...userEmbed,
  ...userLanguage,
  ...userMenu,
  ...userPeople,
  ...userRole,
  ...userSignIn,
  ...userSystem,
  ...userTitles,
  ...userUser,
  ...validation,
}
