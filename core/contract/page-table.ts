import { type Page, pathOf } from './pages.ts'

const kebab = (name: string) => name.replace(/(?<!^)(?=[A-Z])/g, '-').toLowerCase()

/** The pages of a table: by system, the prefix of its elements and the names of its pages, between spaces. */
const pageTable = (systems: Record<string, { prefix: string; pages: string }>): readonly Page[] =>
  Object.entries(systems).flatMap(([system, { prefix, pages }]) =>
    pages
      .trim()
      .split(/\s+/)
      .map((name): Page => ({ system, name, path: pathOf(system, name), tag: `mkopo-${prefix}-${kebab(name)}` })),
  )

/** Every page whose screen is built, in the order of the menu. Portal, elements and menu follow from it; routes.ts says who may open each. */
export const builtPages = pageTable({
  Index: { prefix: 'portal', pages: 'Login' },
  AdminContent: { prefix: 'portal', pages: 'Home WarningNotify' },
  OrderDetailAudit: { prefix: 'order', pages: 'OrderDetail OrderAudit' },
  AuditSystem: {
    prefix: 'audit',
    pages: `
      OrderAllocation MyAudit OrderManagement OrderManagementAbridgment AuditPersonnel AuditConfiguration
      MachineReviewRetrieval RejectOrderReviewConfig RejectOrderReview`,
  },
  AfterLoanSystem: {
    prefix: 'after-loan',
    pages: `
      LoanManagement BalanceManagement LoanerManagement RepaymentAccountManagement LoanRouting
      AutomaticLoanCancelConfig AutoSettlementConfig AutoWriteOffAmountConfig RepaymentManagement
      RepaymentManagementNew FlowRecordSupplement ReconciliationManagement WalletRecords`,
  },
  CustomerServiceSystem: {
    prefix: 'service',
    pages: `
      CustomerServiceCouponConfig CustomerServiceCouponAudit MyCustomerServiceCouponApply`,
  },
  ChargeToAnAccountSystem: {
    prefix: 'charge',
    pages: `
      ClientRefundManagement ClientRefundAuditManagement CashTransferApplyFor CashTransferAudit`,
  },
  OperationSystem: {
    prefix: 'operation',
    pages: `
      AnnouncementManagement MessageCenterAppManagement MessageTemplateConfiguration SmsRouterConfig MarketingSmsRouterConfig BusinessNode
      EmployeePhoneBillRecharge SensitiveWordConfig SensitiveInfoConfig OrganizationMerchantManagement
      VerificationCodeManagement CustomerServiceHotlineManagement AppContentManagement AppVersionsManagement
      ActivitiesConfiguration CouponCodeManagement TemporaryCreditLimitIssuance TrafficPersonnel LaunchManagement
      SupermarketPlatforms MerchantLoanAmountManagement ProductConfig ProductConfigNew`,
  },
  MarketingManagement: { prefix: 'marketing', pages: 'SmsMarketingTemplate SmsMarketingTask UnrenewedLoanSmsConfig' },
  LoanSupermarketSystem: {
    prefix: 'supermarket',
    pages: `
      LoanSupermarketProductManagement LoanSupermarketRecommendProductManagement LoanSupermarketVipLevelManagement
      ReviewDataMaintain`,
  },
  TelemarketingSystem: { prefix: 'telemarketing', pages: 'BaseTypeOption TeleMarketingBlackList' },
  UserSystem: {
    prefix: 'user',
    pages: `
      RoleManagement UserManagement DepartmentManagement MenuManagement MultiLanguageConfiguration DataDictionary`,
  },
  RiskControlSystem: {
    prefix: 'risk',
    pages: `
      RuleSet ListManagement RiskControlModel RiskPricingConfiguration`,
  },
  MerchantSystem: {
    prefix: 'merchant',
    pages: `
      MerchantConfigManagement MaturityConfigManagement ArtificialBlacklistLibrary ConsumptionTypeConfig
      ConsumptionRecord RechargeRecord ContactBlacklist OrderAcquireManagement`,
  },
})

/** Addresses of the console whose screen is not built: the guard knows them, the menu does not offer them. */
export const plannedPages = pageTable({
  CollectionSystem: {
    prefix: 'collection',
    pages: `
      MyCollection CaseAllocation CancelAfterVerificationManagement OutCollectionList BadDebtManagement
      CollectionPersonnel DeductionAmountManagement RollbackFlow RoboticTask CollectionPersonnelMonitoring
      repaymentDetails PreReminderCaseDivisionPolicy CollectLevelDevisionPolicy`,
  },
  CollectionSystemNew: {
    prefix: 'collection-new',
    pages: `
      MyCollectionNew CancelAfterVerificationManagementNew DeductionAmountManagementNew CaseAllocationNew
      OutCollectionListNew BadDebtManagementNew CollectionPersonnelNew RollbackFlowNew RoboticTaskNew
      RepaymentDetailsNew PenaltyInterestReductionStrategiesNew`,
  },
  ReportSystem: {
    prefix: 'report',
    pages: `
      FinancialReport OperationReport CollectionReport ApprovalReport PerformanceReport`,
  },
  TelemarketingSystem: {
    prefix: 'telemarketing',
    pages: `
      ListLibraryManagement AbandonedListLibraryManagement ImportRecord DialTask MyIncoming MyLoan
      TelemarketingPersonnel RoboticTask InboundOrderConfig `,
  },
  MarketingManagement: {
    prefix: 'marketing',
    pages: `
      RoboticTask`,
  },
  CustomerServiceSystem: {
    prefix: 'service',
    pages: `
      ListLibraryManage CallingAssignments CustomerServiceStaff Feedback CustomerFeedback CustomerInCallRecord
      CustomerManage AiHelpUidDecrypt`,
  },
  AppraisalSystem: { prefix: 'appraisal', pages: 'EmployeeDisciplineData' },
  QualitySystem: { prefix: 'quality', pages: 'QualityCenter' },
  ScheduleManage: { prefix: 'schedule', pages: 'ScheduleCaseManage SchedulePlan MySchedule ScheduleAbnormalThreshold' },
})
