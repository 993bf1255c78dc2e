// Written by build/db-types.ts from the migrations; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Read as ISO text in UTC. */
type Instant = ColumnType<string, string | Date, string | Date>
/** Read as the value it holds; written as any value that JSON can hold. */
type Json = ColumnType<unknown, NonNullable<unknown>, NonNullable<unknown>>

/** The tables, with the names that code uses. */
export type DB = {
  accessLog: {
    accessNo: Generated<number>
    userNo: string
    accessKind: string
    objectType: string
    objectNo: string
    field: string
    at: Instant
    ip: string | null
    requestId: string
    partnerNo: string | null
    kind: string | null
    reason: string | null
    route: string | null
    result: Generated<string>
    kinds: GeneratedAlways<string[]>
  }
  accessReview: {
    accessNo: number
    reviewedBy: string
    reviewedTime: Instant
    remark: string | null
  }
  acquireCounter: {
    acquireNo: string
    businessDate: string
    hour: number
    accepted: Generated<number>
  }
  acquireLog: {
    intakeNo: string
    merchantNo: string
    intakeKey: string
    acquireNo: string | null
    incomingChannel: string | null
    thirdOrderNo: string | null
    orderNo: string | null
    customerNo: string | null
    loanKind: string | null
    intakeTime: Instant
    intakeResult: string
    intakeCode: string
    payloadHash: string
    payload: string | null
    latencyMs: Generated<number>
    tryCount: Generated<number>
  }
  acquireRule: {
    acquireNo: string
    enabled: string
    acquireName: string
    merchantNo: string
    incomingChannel: string
    productNos: string[]
    loanKind: string | null
    acceptFrom: string
    acceptTo: string
    dailyCap: number
    hourCap: number | null
    firstShare: number
    dedupeDays: number
    todayCap: number | null
    todayCapDate: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  activity: {
    activityNo: string
    enabled: string
    activityName: string
    activityType: string
    merchantNos: string[]
    appCodes: string[]
    startTime: Instant
    endTime: Instant
    budgetAmount: string
    budgetSpent: Generated<string>
    awardsPerCustomer: number
    tasks: Json
    ruleText: Json
    enabledTime: Instant | null
    stoppedTime: Instant | null
    budgetUsedTime: Instant | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  activityAward: {
    awardNo: string
    awardStatus: string
    activityNo: string
    taskKey: string
    customerNo: string
    merchantNo: string
    subjectNo: string
    orderNo: string
    inviteeNo: string | null
    awardKind: string
    awardAmount: string
    couponTemplateNo: string | null
    couponNo: string | null
    rewardNo: string | null
    awardHold: string | null
    clusterNo: string | null
    decideReason: string | null
    decidedBy: string | null
    decidedTime: Instant | null
    undoneTime: Instant | null
    awardTime: Instant
    version: Generated<number>
  }
  activityInvite: {
    activityNo: string
    phone: string
    customerNo: string
    merchantNo: string
    invitedTime: Instant
  }
  activityMissed: {
    activityNo: string
    taskKey: string
    orderNo: string
    heard: Json
    missedTime: Instant
  }
  announcement: {
    announcementNo: string
    announcementStatus: string
    titleZh: string | null
    titleEn: string | null
    titleSw: string | null
    contentZh: string | null
    contentEn: string | null
    contentSw: string | null
    audienceType: Generated<string>
    audienceDepts: Generated<string[]>
    needRead: Generated<boolean>
    pinned: Generated<boolean>
    startTime: Instant
    endTime: Instant | null
    createdBy: string
    createdName: string
    createdTime: Instant
    updatedTime: Instant
    version: Generated<number>
    audienceRoles: Generated<string[]>
    audienceMerchants: Generated<string[]>
    audienceApps: Generated<string[]>
    publishTime: Instant | null
    remindTime: Instant | null
    deletedTime: Instant | null
  }
  announcementImage: {
    announcementNo: string
    uploadNo: string
  }
  announcementRead: {
    announcementNo: string
    userNo: string
    readTime: Instant
  }
  appContent: {
    contentNo: string
    enabled: string
    appCode: string
    placement: string
    titleZh: string | null
    titleEn: string | null
    titleSw: string | null
    bodyZh: string | null
    bodyEn: string | null
    bodySw: string | null
    image: string | null
    linkType: string
    appScreen: string | null
    linkUrl: string | null
    customerStatuses: Generated<string[]>
    startTime: Instant
    endTime: Instant
    sort: number
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  appContentDay: {
    contentNo: string
    businessDate: string
    shownCount: Generated<number>
    clickedCount: Generated<number>
  }
  appContentReport: {
    merchantNo: string
    reportNo: string
    reportedTime: Instant
  }
  appContract: {
    contractNo: string
    enabled: string
    contractType: string
    merchantNo: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  appContractVersion: {
    versionNo: string
    versionStatus: string
    contractNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  appDevice: {
    appCode: string
    os: string
    deviceHash: string
    versionCode: number
    seenDate: string
  }
  appInvite: {
    inviteNo: string
    enabled: string
    appCode: string
    inviteActivity: string
    inviteTitle: Json
    inviteText: Json
    inviteImage: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  appUser: {
    userNo: string
    loginId: string
    userName: string
    realName: string
    deptNo: string
    principalMerchantNo: string
    phone: string | null
    email: string | null
    extensionNo: string | null
    jobNo: string | null
    passwordHash: string
    passwordUpdateStatus: Generated<number>
    userStatus: Generated<string>
    employeeStatus: Generated<string>
    lastLoginTime: Instant | null
    lastLoginIp: string | null
    createdTime: Instant
    version: Generated<number>
    freezeTime: Instant | null
    freezeReason: string | null
    baseSalary: string | null
    internalUser: Generated<boolean>
    emailVerified: Generated<boolean>
    phoneVerified: Generated<boolean>
    validUntil: string | null
    lastDay: string | null
    language: string | null
  }
  appVersion: {
    versionNo: string
    versionStatus: string
    appCode: string
    os: string
    versionName: string
    versionCode: number
    packageFileNo: string | null
    packageSize: number | null
    sha256: string | null
    storeUrl: string | null
    minVersionCode: number | null
    releaseNotes: Json
    forceUpdate: Generated<boolean>
    grayPercent: number | null
    releaseTime: Instant | null
    withdrawReason: string | null
    createdBy: string
    createdName: string
    createdTime: Instant
    version: Generated<number>
  }
  appVersionDay: {
    appCode: string
    os: string
    versionCode: number
    businessDate: string
    deviceCount: number
    sessionCount: Generated<number>
    crashCount: Generated<number>
  }
  approval: {
    approvalNo: string
    approvalAction: string
    approvalStatus: string
    objectType: string
    objectNo: string
    orderNo: string | null
    merchantNo: string | null
    perm: string
    payload: Json
    payloadHash: string
    targetVersion: number
    summary: Json
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    reason: string | null
    submitTime: Instant
    finishTime: Instant | null
    expireTime: Instant
    version: Generated<number>
    alsoMadeBy: Generated<string[]>
  }
  attachment: {
    attachNo: string
    uploadNo: string
    objectType: string
    objectNo: string
    attachType: string
    uploadedBy: string
    uploadedByName: string
    uploadedTime: Instant
    removedBy: string | null
    removedTime: Instant | null
    restsOn: string | null
  }
  auditAnchor: {
    anchorDate: string
    chainNo: number
    auditNo: number
    hash: string
    seal: string
    anchoredTime: Instant
  }
  auditAnswer: {
    auditRecordNo: string
    questionNo: string
    questionVersion: number
    optionNos: string[]
    answerText: string | null
    submitTime: Instant
  }
  auditChain: {
    chainNo: number
    auditNo: number
    hash: string
  }
  auditLog: {
    auditNo: Generated<number>
    action: string
    objectType: string
    objectNo: string
    orderNo: string | null
    actor: string
    actorName: string
    at: Instant
    requestId: string
    ip: string | null
    before: unknown
    after: unknown
    partnerNo: string | null
  }
  auditPerson: {
    userNo: string
    groupNo: string | null
    autoAllocation: Generated<boolean>
    acceptFirst: Generated<boolean>
    acceptRepeat: Generated<boolean>
    queueCap: Generated<number>
    approvalCap: Generated<string>
    auditStepMax: Generated<number>
    shiftOverride: Generated<string>
    aiEmployee: Generated<boolean>
    version: Generated<number>
    principalMerchantNo: string | null
    associatedMerchantNos: Generated<string[]>
    goneTime: Instant | null
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
  }
  auditQuestion: {
    questionNo: string
    questionZh: string
    questionLocal: string
    questionType: string
    options: Generated<Json>
    required: Generated<boolean>
    loanKindScope: Generated<string>
    sort: number
    enabled: Generated<string>
    version: Generated<number>
    merchantNos: Generated<string[]>
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    deletedTime: Instant | null
  }
  auditRecord: {
    auditRecordNo: string
    orderNo: string
    auditTaskNo: string
    auditorNo: string
    auditStep: number
    auditResult: string
    approvalAmount: string | null
    approvalTime: Instant | null
    refuseCode: string | null
    sendBackReason: string | null
    faceConsistency: string | null
    remark: string | null
    answers: Generated<Json>
    seconds: number
    submitTime: Instant
  }
  auditTask: {
    auditTaskNo: string
    orderNo: string
    auditTaskStatus: string
    auditorNo: string
    auditStep: number
    allotTime: Instant
    openTime: Instant | null
    submitTime: Instant | null
    leaseToken: string | null
    leaseUntil: Instant | null
    auditResult: string | null
    handleSeconds: number | null
    draft: unknown
    draftTime: Instant | null
    version: Generated<number>
    questions: unknown
  }
  auditTip: {
    id: Generated<number>
    chainNo: Generated<number>
    hash: Generated<string>
    settledNo: Generated<number>
  }
  autoCancelConfig: {
    configNo: string
    enabled: string
    merchantNo: string | null
    productNo: string | null
    pendingHours: number | null
    failedHours: number | null
    reWithdrawalHours: number | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  autoSettleConfig: {
    configNo: string
    enabled: string
    merchantNo: string | null
    productNo: string | null
    residueLimit: string
    daysSincePayment: number
    useOverflow: boolean
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  autoSettleResult: {
    businessDate: string
    orderNo: string
    configNo: string
    outcome: string
    owedBefore: string
    fromOverflow: Generated<string>
    waived: Generated<string>
    owedAfter: string
    repaymentNo: string | null
    skipReason: string | null
    runTime: Instant
  }
  autoWriteOffConfig: {
    configNo: string
    merchantNo: string | null
    shortfallLimit: Generated<string>
    principalLimit: Generated<string>
    overflowLimit: Generated<string | null>
    enabled: Generated<string>
    version: Generated<number>
    productNo: string | null
    autoPartial: Generated<boolean>
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    deletedTime: Instant | null
    autoExtension: Generated<boolean>
  }
  balanceEntry: {
    balanceEntryNo: string
    fundAccountNo: string
    balanceEntryStatus: string
    lastBalance: string
    entryDate: Instant
    balanceSource: string
    enteredBy: string
    enteredName: string
    createdTime: Instant
    ledgerThen: string
    inFlightThen: string
    difference: string
    backfilled: boolean
    remark: string | null
    correctsNo: string | null
    correctReason: string | null
    version: Generated<number>
  }
  bankBatch: {
    batchNo: string
    fundAccountNo: string
    executionDate: string
    paymentCount: number
    amount: string
    fileText: string
    fileSha256: string
    sendWay: string
    createdBy: string
    createdByName: string
    createdTime: Instant
    sentTime: Instant | null
    answeredTime: Instant | null
    discardedTime: Instant | null
    discardedBy: string | null
    discardReason: string | null
  }
  baseOption: {
    optionNo: string
    enabled: string
    baseType: string
    parentCode: string | null
    optionCode: string
    nameZh: string
    nameEn: string
    nameSw: string
    sort: number
    system: Generated<boolean>
    callable: boolean | null
    retryDelayMinutes: number | null
    maxAttempts: number | null
    terminalEffect: string | null
    needApproval: boolean | null
    targetEditable: boolean | null
    internal: boolean | null
    fits: string[] | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  businessClock: {
    id: Generated<number>
    offsetSeconds: Generated<number>
  }
  businessConfig: {
    configKey: string
    configValue: Json
    version: Generated<number>
    updatedBy: string | null
    updatedTime: Instant | null
  }
  businessNode: {
    nodeNo: string
    enabled: string
    pointCode: string
    eventKey: string
    nodeName: Json
    contactKind: string
    appCodes: string[]
    channelOrder: Json
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  channel: {
    channel: string
    channelName: string
    enabled: Generated<string>
    pauseReason: string | null
    version: Generated<number>
    pauseStatus: Generated<string>
    pausedBy: string | null
    pausedName: string | null
    pausedTime: Instant | null
    pauseAfterUnknown: Generated<number>
  }
  channelClick: {
    clickId: string
    channelNo: string
    clickTime: Instant
    ledTo: string
    promoterNo: string | null
  }
  channelCost: {
    costNo: string
    channelNo: string
    costDate: string
    amount: string
    remark: string | null
    costSource: string
    createdBy: string
    createdTime: Instant
    replacedTime: Instant | null
  }
  channelPostback: {
    postbackNo: string
    channelNo: string
    clickId: string
    launchEvent: string
    eventTime: Instant
    delivery: Generated<string>
    tries: Generated<number>
    answerCode: number | null
    answerText: string | null
    createdTime: Instant
    lastTryTime: Instant | null
  }
  channelStatDaily: {
    channelNo: string
    statDate: string
    clickCount: number
    registerCount: number
    incomingCount: number
    passCount: number
    paidOutCount: number
    payoutAmount: string
    firstDueCount: number
    firstBadCount: number
    firstPaidCount: number
    costMode: string
    unitPrice: string
    costAmount: string
  }
  clientRefund: {
    refundNo: string
    overpaymentNo: string
    customerNo: string
    merchantNo: string
    orderNo: string | null
    refundSource: string
    refundAmount: string
    refundStatus: string
    auditStatus: string
    verifyStatus: string
    channel: string
    payeeName: string
    payeeAccount: string
    payeeBank: string | null
    sourceAccount: string | null
    samePayer: boolean
    holderName: string | null
    matchScore: string | null
    ignoreVerification: Generated<boolean>
    ignoreReason: string | null
    ignoreSeen: Generated<string[]>
    ignoredBy: string | null
    ignoredName: string | null
    ignoredTime: Instant | null
    refundReason: string
    remark: string | null
    applyTime: Instant
    submitTime: Instant
    makerNo: string
    makerName: string
    askedBy: string[]
    auditorNo: string | null
    auditorName: string | null
    auditTime: Instant | null
    auditReason: string | null
    payerUserNo: string | null
    payerUserName: string | null
    fundAccountNo: string | null
    attemptNo: Generated<number>
    failType: string | null
    failReason: string | null
    serialNo: string | null
    successTime: Instant | null
    version: Generated<number>
  }
  company: {
    companyCode: string
    companyName: string
    version: Generated<number>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
  }
  configHistory: {
    historyNo: Generated<number>
    machine: string
    objectNo: string
    version: number
    event: string
    changedBy: string
    changedName: string
    changedTime: Instant
    changes: Json
  }
  consumptionEvent: {
    eventNo: Generated<number>
    meter: string
    subjectNo: string
    merchantNo: string
    quantity: number
    eventTime: Instant
    businessDate: string
    charge: Generated<string>
    consumptionNo: string | null
  }
  consumptionPrice: {
    priceNo: string
    enabled: string
    typeNo: string
    merchantNo: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  consumptionPriceVersion: {
    versionNo: string
    versionStatus: string
    priceNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  consumptionRecord: {
    consumptionNo: string
    consumptionStatus: string
    merchantNo: string
    typeNo: string
    priceVersionNo: string | null
    unitPrice: string
    businessDate: string
    quantity: number
    consumptionAmount: string
    reversedQuantity: Generated<number>
    reversedAmount: Generated<string>
    journalNo: number | null
    balanceAfter: string | null
    postedTime: Instant | null
    createdTime: Instant
    version: Generated<number>
  }
  consumptionReversal: {
    reversalNo: string
    consumptionNo: string
    quantity: number
    amount: string
    reason: string
    journalNo: number | null
    makerNo: string
    makerName: string
    checkerNo: string
    checkerName: string
    reversedTime: Instant
  }
  consumptionType: {
    typeNo: string
    enabled: string
    typeCode: string
    typeName: Json
    meter: string
    unit: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
    prepaidRequired: Generated<boolean>
  }
  contactBlock: {
    blockNo: string
    blockStatus: string
    book: string
    phone: string
    merchantNo: string | null
    blockScope: string
    blockReason: string | null
    reason: string | null
    relation: string | null
    linkedCustomerNo: string | null
    remark: string | null
    blockSource: string
    sourceRef: string | null
    createdBy: string
    createdByName: string
    createdTime: Instant
    expireTime: Instant | null
    endedTime: Instant | null
    endedByName: string | null
    endReason: string | null
    blockedCount: Generated<number>
    lastBlocked: Instant | null
    version: Generated<number>
  }
  contactStop: {
    stopNo: string
    blockNo: string | null
    itemNo: string | null
    phone: string
    merchantNo: string | null
    contactKind: string
    medium: string
    objectType: string | null
    objectNo: string | null
    stoppedByName: string
    stoppedAt: Instant
  }
  coupon: {
    couponNo: string
    customerNo: string
    couponType: string
    faceAmount: string
    couponStatus: string
    startTime: Instant
    expireTime: Instant
    boundOrderNo: string | null
    createdTime: Instant
    version: Generated<number>
    couponTemplateNo: string | null
    couponRepayType: string | null
    minOrderAmount: Generated<string>
    merchantNo: string | null
    couponSource: Generated<string>
    sourceNo: string | null
    usedTime: Instant | null
    usedAmount: string | null
    revokeReason: string | null
    returnedAmount: Generated<string>
  }
  couponBatchRow: {
    issueBatchNo: string
    rowNo: number
    named: string
    customerNo: string | null
    couponNo: string | null
    failReason: string | null
  }
  couponIssueBatch: {
    issueBatchNo: string
    issueBatchStatus: string
    couponTemplateNo: string
    startTime: Instant
    reason: string
    issueCount: number
    totalAmount: string
    issuedOk: Generated<number>
    issuedFailed: Generated<number>
    makerNo: string
    makerName: string
    checkerName: string | null
    createdTime: Instant
    finishTime: Instant | null
    version: Generated<number>
  }
  couponTemplate: {
    couponTemplateNo: string
    enabled: string
    couponName: string
    couponType: string
    couponRepayType: string | null
    merchantNos: string[]
    faceAmount: string
    minOrderAmount: Generated<string>
    validityDays: number
    issueCapPerCustomer: number
    budgetAmount: string
    issuedAmount: Generated<string>
    issuedCount: Generated<number>
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  credit: {
    creditNo: string
    customerNo: string
    creditStatus: string
    creditExpiry: string | null
    adjustable: Generated<boolean>
    createdTime: Instant
    version: Generated<number>
  }
  csCouponApply: {
    applyNo: string
    couponApplyStatus: string
    serviceConfigNo: string
    customerNo: string
    merchantNo: string
    orderNo: string | null
    faceAmount: string
    couponCount: number
    totalAmount: string
    reason: string
    applicantNo: string
    applicantName: string
    applyTime: Instant
    auditorNo: string | null
    auditorName: string | null
    auditTime: Instant | null
    auditRemark: string | null
    version: Generated<number>
  }
  csCouponConfig: {
    serviceConfigNo: string
    enabled: string
    configName: string
    couponTemplateNo: string
    merchantNos: string[]
    amountFree: boolean
    amountMin: string | null
    amountMax: string | null
    countMax: number
    perAgentDaily: number
    perCustomer30Days: number
    monthlyBudget: string
    minReasonLength: number
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  customer: {
    customerNo: string
    customerName: string
    idNumber: string
    phone: string
    gender: string | null
    birthDate: string | null
    maritalStatus: string | null
    education: string | null
    childrenCount: number | null
    occupation: string | null
    employerName: string | null
    monthlyIncome: string | null
    payday: number | null
    addressText: string | null
    district: string | null
    residenceType: string | null
    email: string | null
    customerStatus: Generated<string>
    creditType: Generated<string>
    creditLimit: string
    remainingLimit: string
    memberLevel: Generated<string>
    whitelisted: Generated<boolean>
    registerTime: Instant
    version: Generated<number>
    technical: Generated<boolean>
  }
  customerChannel: {
    customerNo: string
    channelNo: string
    clickId: string
    clickTime: Instant
    registerTime: Instant
  }
  customerPromoter: {
    customerNo: string
    promoterNo: string
    channelNo: string
    registerTime: Instant
  }
  customerVip: {
    customerNo: string
    vipSince: Instant
    vipReason: string
    vipUntil: string | null
    version: Generated<number>
  }
  delayedArrival: {
    delayNo: string
    delayStatus: string
    flowNo: string
    orderNo: string
    amount: string
    dueDate: string
    claimedDate: string
    makerNo: string
    makerName: string
    createdTime: Instant
    auditorNo: string | null
    auditorName: string | null
    auditTime: Instant | null
    auditReason: string | null
    repaymentNo: string | null
    version: Generated<number>
  }
  dept: {
    deptNo: string
    deptName: string
    parentDeptNo: string | null
    orgNo: string
    deptNature: Generated<string>
    leaderNo: string | null
    sort: Generated<number>
    updatedBy: string | null
    updatedTime: Instant | null
    version: Generated<number>
  }
  dictItem: {
    dictItemNo: string
    enabled: string
    dictType: string
    parentKey: string | null
    keyValue: string
    valueType: string
    label: string
    labelEn: string | null
    labelSw: string | null
    labelVi: string | null
    sort: number
    remark: string | null
    system: Generated<boolean>
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  dictPublication: {
    onlyOne: Generated<boolean>
    stamp: Generated<string>
    words: Generated<Json>
    publishedTime: Generated<Instant>
  }
  dictType: {
    dictTypeNo: string
    enabled: string
    dictType: string
    dictName: string
    codeTableType: string
    system: Generated<boolean>
    typeSort: number
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  embedToken: {
    embedTokenNo: string
    tokenHash: string
    embedTokenStatus: string
    chainNo: string
    partnerNo: string
    userNo: string
    origin: string
    widgets: string[]
    perms: string[]
    merchantNos: string[]
    language: string | null
    issuedTime: Instant
    expiresTime: Instant
    refreshUntil: Instant
    lastSeenTime: Instant | null
    endedTime: Instant | null
    endedReason: string | null
    version: Generated<number>
  }
  exportChunk: {
    exportNo: string
    chunkNo: number
    rowKeys: string[]
  }
  exportJob: {
    exportNo: string
    userNo: string
    exportStatus: string
    exportList: string
    exportFormat: string
    filters: Generated<Json>
    columns: string[]
    sort: string
    reason: string | null
    language: string
    rowCount: Generated<number>
    rowsDone: Generated<number>
    chunksDone: Generated<number>
    restarts: Generated<number>
    written: unknown
    fileId: string
    fileSize: number | null
    failReason: string | null
    requestTime: Instant
    finishTime: Instant | null
    expireTime: Instant | null
    version: Generated<number>
  }
  extension: {
    billExtensionNo: string
    extensionStatus: string
    orderNo: string
    billNo: string
    successorNo: string | null
    businessDate: string
    extensionFee: string
    amount: string
    dueDate: string
    newDueDate: string
    extensionCount: number
    extensionsAllowed: number
    repaymentNo: string | null
    createdBy: string
    createdName: string
    createdTime: Instant
    version: Generated<number>
  }
  flowSupplement: {
    supplementNo: string
    flowNo: string
    orderNo: string | null
    channelAnswer: string
    remark: string | null
    makerNo: string
    makerName: string
    createdTime: Instant
    reviewerNo: string | null
    reviewerName: string | null
    reviewTime: Instant | null
    reviewReason: string | null
    seenInPortal: Generated<boolean>
  }
  followRecord: {
    followNo: string
    orderNo: string
    contactNo: string | null
    followResult: string
    followRemark: string | null
    createdBy: string
    createdTime: Instant
  }
  fundAccount: {
    fundAccountNo: string
    accountName: string
    accountRole: string
    lenderName: string
    channel: string
    accountNumber: string
    minBalance: Generated<string>
    enabled: Generated<string>
    version: Generated<number>
    shortAmount: string | null
    bankName: string | null
    branch: string | null
    batchTimes: Generated<string[]>
    merchantNos: Generated<string[]>
    dailyCap: Generated<string>
    openingBalance: Generated<string>
    openingDate: string | null
    openingPosted: Generated<boolean>
    channelBalance: string | null
    channelBalanceTime: Instant | null
    holderName: string | null
    sendingTimes: string | null
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    deletedTime: Instant | null
  }
  fundAccountMerchant: {
    fundAccountNo: string
    merchantNo: string
  }
  gatewayAttempt: {
    externalId: string
    gatewayRef: string
    parentKind: string
    parentNo: string
    attemptNo: number
    attemptStatus: string
    channel: string
    amount: string
    payee: string
    fundAccountNo: string
    sentTime: Instant | null
    answerTime: Instant | null
    answerCode: string | null
    answerMessage: string | null
    serialNo: string | null
    fee: string | null
    queryCount: Generated<number>
    notFoundSince: Instant | null
    nextQueryTime: Instant | null
    unknownSince: Instant | null
    createdTime: Instant
    version: Generated<number>
    batchNo: string | null
    askedTime: Instant | null
    dueRule: unknown
  }
  handoffCode: {
    codeHash: string
    userNo: string
    menuNo: string
    createdTime: Instant
    expiresTime: Instant
    usedTime: Instant | null
    partnerNo: string | null
  }
  hotline: {
    hotlineNo: string
    enabled: string
    displayName: Json
    hotlineType: string
    contactValue: string
    merchantNo: string | null
    appCodes: string[]
    languages: string[]
    workDays: string[]
    opensAt: string
    closesAt: string
    complaint: boolean
    answeredHere: boolean | null
    sort: number
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  idempotency: {
    caller: string
    idempotencyKey: string
    endpoint: string
    bodyHash: string
    idempotencyStatus: Generated<string>
    answer: string | null
    createdTime: Instant
    workingUntil: Instant | null
  }
  importJob: {
    importNo: string
    userNo: string
    importStatus: string
    importList: string
    importFormat: string
    uploadNo: string
    fileName: string
    sha256: string
    language: string
    columns: Generated<string[]>
    ignored: Generated<string[]>
    rowCount: number | null
    rowsRead: Generated<number>
    readTo: Generated<number>
    validCount: Generated<number>
    wrongCount: Generated<number>
    duplicateCount: Generated<number>
    okCount: Generated<number>
    failCount: Generated<number>
    sums: Generated<Json>
    rowCursor: Generated<number>
    failReason: string | null
    failParams: Generated<Json>
    fileId: string
    written: unknown
    writtenTo: Generated<number>
    fileSize: number | null
    approvalNo: string | null
    requestTime: Instant
    confirmTime: Instant | null
    finishTime: Instant | null
    expireTime: Instant | null
    version: Generated<number>
  }
  importRow: {
    importNo: string
    rowNo: number
    rowKey: string | null
    rowStatus: string
    cells: string[] | null
    messages: Generated<Json>
    effectNo: string | null
  }
  inboundEvent: {
    eventNo: Generated<number>
    channel: string
    eventId: string
    bodyHash: string
    body: string
    receivedTime: Instant
    handledTime: Instant | null
    outcome: string | null
    deliveries: Generated<number>
  }
  job: {
    id: Generated<number>
    queue: string
    jobKey: string
    payload: Generated<Json>
    state: Generated<string>
    runAt: Instant
    attempts: Generated<number>
    maxAttempts: Generated<number>
    worker: string | null
    lastError: string | null
    createdTime: Instant
    finishedTime: Instant | null
  }
  jobRun: {
    job: string
    slot: string
    jobStatus: Generated<string>
    cursor: string | null
    worker: string | null
    leaseUntil: Instant | null
    attempts: Generated<number>
    error: string | null
    counters: unknown
    plannedTime: Instant
    startedTime: Instant | null
    finishedTime: Instant | null
    version: Generated<number>
  }
  journal: {
    journalNo: number
    postingCode: string
    businessDate: string
    valueDate: string
    postedTime: Instant
    cause: string
    requestId: string
    actor: string
    orderNo: string | null
    reversesJournalNo: number | null
    reversedPostingCode: string | null
  }
  journalLine: {
    lineNo: Generated<number>
    journalNo: number
    accountCode: string
    component: string | null
    amount: string
    orderNo: string | null
    billNo: string | null
    loanCode: string | null
    flowNo: string | null
    repaymentNo: string | null
    customerNo: string | null
    merchantNo: string | null
  }
  language: {
    languageCode: string
    languageName: string
    sort: number
    flagAttachNo: string | null
    languageStatus: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  leaveApply: {
    leaveNo: string
    userNo: string
    leaveStatus: string
    leaveType: string
    startTime: Instant
    endTime: Instant
    remark: string | null
    auditorNo: string | null
    auditorName: string | null
    auditRemark: string | null
    auditTime: Instant | null
    createdBy: string
    createdTime: Instant
    version: Generated<number>
  }
  ledgerBalance: {
    accountCode: string
    balance: Generated<string>
  }
  ledgerDay: {
    businessDate: string
    valueDate: string
    postingCode: string
    reversal: boolean
    accountKind: string
    component: string | null
    merchantNo: string | null
    productNo: string | null
    loanKind: string | null
    lenderName: string | null
    fundAccountNo: string | null
    channel: string | null
    debit: string
    credit: string
    journals: number
  }
  legalCap: {
    capNo: string
    enabled: string
    capKey: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  legalCapVersion: {
    versionNo: string
    versionStatus: string
    capNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  loanCode: {
    loanCode: string
    orderNo: string
    loanCodeStatus: string
    loanCodeSeq: number
    actualLoanAmount: string
    payoutType: string
    payoutSubtype: string
    walletAccount: string | null
    bankName: string | null
    branch: string | null
    bankCardNo: string | null
    cardholderName: string
    verifyResult: Generated<string>
    holderName: string | null
    channel: string | null
    fundAccountNo: string | null
    attemptNo: Generated<number>
    waitReason: string | null
    failType: string | null
    failReason: string | null
    serialNo: string | null
    requestTime: Instant
    finishTime: Instant | null
    unknownSince: Instant | null
    reverseReason: string | null
    version: Generated<number>
    revertTo: string | null
    listReleasedTime: Instant | null
    accountFixed: Generated<boolean>
    routeNo: string | null
  }
  loanCodeConfirm: {
    confirmNo: string
    parentKind: string
    parentNo: string
    confirmStatus: string
    result: string | null
    serialNo: string | null
    statementDate: string | null
    firstBy: string | null
    firstName: string | null
    firstTime: Instant | null
    secondBy: string | null
    secondName: string | null
    secondTime: Instant | null
    version: Generated<number>
    importNo: string | null
    failReason: string | null
  }
  loanOrder: {
    orderNo: string
    thirdOrderNo: string
    merchantNo: string
    customerNo: string
    orderStatus: string
    productNo: string
    terms: Json
    requestedAmount: string
    loanAmount: string
    actualLoanAmount: string
    approvalAmount: string | null
    term: number
    installmentCount: number
    loanKind: string
    loanPurpose: string | null
    applyTime: Instant
    statusTime: Instant
    auditTime: Instant | null
    approvalTime: Instant | null
    payoutTime: Instant | null
    payoutDate: string | null
    settledTime: Instant | null
    auditorNo: string | null
    incomingChannel: string | null
    promotionChannel: string | null
    lendingChannel: string | null
    refuseCode: string | null
    refuseRemark: string | null
    refusedBy: string | null
    cancelReason: string | null
    modelLevel: string | null
    modelScore: number | null
    suggestedAmount: string | null
    machineTime: Instant | null
    ruleHits: unknown
    dataSource: Generated<string>
    overdue: Generated<boolean>
    overdueDays: Generated<number>
    payoutType: string
    payoutSubtype: string
    walletAccount: string | null
    bankName: string | null
    branch: string | null
    bankCardNo: string | null
    cardholderName: string
    payoutVerify: Generated<string>
    payoutHolderName: string | null
    auditStep: Generated<number>
    lastSendBackReason: string | null
    payCode: string | null
    device: unknown
    version: Generated<number>
    priceVersionNo: string | null
    productVersionNo: string | null
  }
  loanRoute: {
    routeNo: string
    enabled: string
    routeName: string
    priority: number
    merchantNos: string[] | null
    productNos: string[] | null
    payoutType: string
    network: string | null
    amountMin: string | null
    amountMax: string | null
    loanKind: string | null
    targets: Json
    fallback: boolean
    effectiveDate: string | null
    createdTime: Generated<Instant>
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  loginChallenge: {
    challengeId: string
    createdTime: Instant
    expiresTime: Instant
    client: string
    usedTime: Instant | null
    tries: Generated<number>
    userNo: string | null
    step: string | null
    challengeStatus: Generated<string>
    version: Generated<number>
    slideRequired: Generated<boolean>
    slideHash: string | null
    slideX: number | null
    slideUntil: Instant | null
    slideTries: Generated<number>
    slideTokenHash: string | null
    slideTokenUntil: Instant | null
    qrDrawn: Generated<boolean>
  }
  loginThrottle: {
    loginId: string
    failures: Generated<number>
    windowStart: Instant
    lockedUntil: Instant | null
    locks: Generated<number>
  }
  marketClick: {
    clickId: string
    marketProductNo: string
    platformNo: string
    customerNo: string
    appCode: string
    slot: string
    recommendNo: Generated<string>
    clickTime: Instant
    businessDate: string
    consentVersion: number | null
    prefilled: Generated<string[]>
  }
  marketClicksToday: {
    marketProductNo: string
    businessDate: string
    taken: number
  }
  marketPostback: {
    postbackNo: string
    platformNo: string
    eventId: string
    clickId: string
    marketEvent: string
    postbackResult: string
    amount: string | null
    revenueAmount: Generated<string>
    receivedTime: Instant
    deliveries: Generated<number>
  }
  marketProduct: {
    marketProductNo: string
    productStatus: string
    platformNo: string
    draftOf: string | null
    sourceProductNo: string | null
    marketProductName: string
    logo: string | null
    slogan: unknown
    amountMin: string
    amountMax: string
    termMin: number
    termMax: number
    termUnit: string
    rateMonthMin: string
    rateMonthMax: string
    allInMonthRate: string | null
    feeText: unknown
    conditions: unknown
    requiredDocs: unknown
    applyUrl: string
    appCodes: Generated<string[]>
    customerTypes: Generated<string[]>
    vipLevelMin: string | null
    badge: string | null
    sort: number | null
    onlineTime: Instant | null
    offlineTime: Instant | null
    dailyClickCap: number | null
    settlementPrice: string | null
    submittedBy: string | null
    operatedBy: string | null
    reason: string | null
    capReason: string | null
    onlineSince: Instant | null
    linkTime: Instant | null
    linkFault: string | null
    linkFailures: Generated<number>
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
    handoff: Generated<string>
  }
  marketRecommend: {
    recommendNo: string
    productStatus: string
    recommendName: string
    slot: string
    marketProductNo: string
    recommendQuota: string | null
    customerStatuses: Generated<string[]>
    vipLevelMin: string | null
    refusedOnly: Generated<boolean>
    weight: number
    startTime: Instant
    endTime: Instant
    reasonText: unknown
    submittedBy: string | null
    operatedBy: string | null
    reason: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    version: Generated<number>
  }
  marketShown: {
    businessDate: string
    marketProductNo: string
    appCode: string
    slot: string
    recommendNo: Generated<string>
    shownCount: number
  }
  matchedBooking: {
    bookingNo: number
    fundAccountNo: string
    matchNo: string | null
  }
  maturityConfig: {
    maturityNo: string
    enabled: string
    merchantNo: string | null
    productNo: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  maturityConfigVersion: {
    versionNo: string
    versionStatus: string
    maturityNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  menu: {
    menuNo: string
    parentMenuNo: string | null
    menuName: string
    menuType: string
    perms: string | null
    externalUrl: string | null
    icon: string | null
    sort: Generated<number>
    builtin: Generated<boolean>
    goneTime: Instant | null
    enabled: Generated<string>
    nameZh: string | null
    nameEn: string | null
    nameSw: string | null
    placed: Generated<boolean>
    dataEntity: Generated<string>
    limitTypes: Generated<string[]>
    defaultLimitType: Generated<string>
    updatedBy: string | null
    updatedTime: Instant | null
    deletedTime: Instant | null
    version: Generated<number>
    live: Generated<boolean>
  }
  merchant: {
    merchantNo: string
    merchantName: string
    appName: string
    orgNo: string
    enabled: Generated<string>
    trafficLimit: Generated<number>
    version: Generated<number>
    brandName: string | null
    legalName: string | null
    licenceNo: string | null
    licenceExpiry: string | null
    physicalAddress: string | null
    supportEmail: string | null
    logoFileNo: string | null
    registerAllowed: Generated<boolean>
    drain: Generated<boolean>
    minContacts: number | null
    settledHours: number | null
    noOverdue: Generated<boolean>
    refusedHere: Generated<string>
    refusedHereDays: number | null
    openOrder: Generated<string>
    sameDevice: Generated<string>
    sameAccount: Generated<string>
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    deletedTime: Instant | null
  }
  merchantCallback: {
    callbackNo: string
    merchantNo: string
    callbackEvent: string
    transitionNo: number
    orderNo: string
    thirdOrderNo: string
    body: string
    payloadHash: string
    delivery: Generated<string>
    tries: Generated<number>
    answerCode: number | null
    answerText: string | null
    latencyMs: number | null
    createdTime: Instant
    lastTryTime: Instant | null
    deliveredTime: Instant | null
  }
  merchantCallbackCursor: {
    onlyOne: Generated<boolean>
    transitionNo: number
  }
  merchantConfig: {
    merchantNo: string
    enabled: string
    contractNo: string
    contractStart: string
    contractEnd: string
    settlementMode: string
    creditFloor: string
    lowBalance: string
    contactEmail: string
    contactPhone: string
    environment: string
    ipAllowList: Generated<string>
    callbackUrl: string | null
    callbackSince: Instant | null
    callbackEvents: Generated<string[]>
    cardTypes: Generated<string[]>
    maxCardsPerCustomer: Generated<number>
    cardVerifyMode: Generated<string>
    changeCoolingHours: Generated<number>
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  merchantCredential: {
    apiKeyId: string
    merchantNo: string
    environment: Generated<string>
    secret: string
    createdBy: Generated<string>
    createdTime: Generated<Instant>
    endedBy: string | null
    endedTime: Instant | null
  }
  merchantCredentialUse: {
    useNo: Generated<number>
    apiKeyId: string
    usedTime: Instant
  }
  merchantCustomer: {
    customerNo: string
    merchantNo: string
    phone: string
    maritalStatus: string | null
    education: string | null
    childrenCount: number | null
    occupation: string | null
    employerName: string | null
    monthlyIncome: string | null
    payday: number | null
    addressText: string | null
    district: string | null
    residenceType: string | null
    email: string | null
    updatedTime: Instant
    version: Generated<number>
  }
  merchantFilterHit: {
    orderNo: string
    filter: string
    merchantNo: string
    at: Instant
  }
  merchantLoanLimit: {
    limitNo: string
    merchantNo: string
    productNo: string | null
    loanKind: string | null
    dailyLimit: string | null
    dailyPayouts: number | null
    outstandingLimit: string | null
    dayDate: string | null
    dayLimit: string | null
    dayPayouts: number | null
    suspendStatus: string
    suspendReason: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    version: Generated<number>
  }
  merchantLoanTake: {
    takeNo: GeneratedAlways<number>
    externalId: string
    limitNo: string
    businessDate: string
    amount: string
    takenTime: Instant
    returnedTime: Instant | null
  }
  merchantLoanUsage: {
    limitNo: string
    businessDate: string
    usedAmount: Generated<string>
    usedCount: Generated<number>
  }
  merchantRecharge: {
    rechargeNo: string
    rechargeStatus: string
    merchantNo: string
    rechargeAmount: string
    fundAccountNo: string
    serialNo: string
    payerName: string
    bankEntryTime: Instant
    remark: string | null
    makerNo: string
    makerName: string
    createdTime: Instant
    submitTime: Instant
    checkerNo: string | null
    checkerName: string | null
    auditTime: Instant | null
    auditReason: string | null
    journalNo: number | null
    balanceAfter: string | null
    reverseReason: string | null
    reverseTime: Instant | null
    version: Generated<number>
  }
  message: {
    messageNo: string
    messageStatus: string
    version: Generated<number>
    channelType: string
    template: string
    language: string
    params: Generated<Json>
    sealed: string | null
    userNo: string | null
    recipient: string
    network: string | null
    objectType: string
    objectNo: string
    accountNo: string | null
    vendorName: string | null
    senderId: string | null
    vendorRef: string | null
    tried: Generated<string[]>
    tries: Generated<number>
    segments: number | null
    cost: string | null
    failReason: string | null
    createdTime: Instant
    begunTime: Instant | null
    sendTime: Instant | null
    deliverTime: Instant | null
    deliverySeconds: number | null
    nodeNo: string | null
    occurrence: string | null
    templateNo: string | null
    templateVersion: number | null
    title: string | null
    content: string | null
    contactKind: string | null
    appCode: string | null
    merchantNo: string | null
    customerNo: string | null
    orderNo: string | null
    blockReason: string | null
    channelAt: number | null
    isOwn: boolean | null
    routeNo: string | null
    enquiredTime: Instant | null
    repeated: Generated<boolean>
  }
  messageAccount: {
    accountNo: string
    enabled: string
    accountName: string
    channelType: string
    messageVendor: string
    vendorEndpoint: string
    senderId: string
    textsADay: number | null
    unitCost: string
    lowBalance: string
    vendorUser: string | null
    credential: string | null
    credentialTime: Instant | null
    reportSecret: string | null
    fromServer: Generated<boolean>
    balance: string | null
    balanceTime: Instant | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
    overTls: boolean | null
    httpAuth: string | null
    requestTemplate: string | null
    vendorPaths: unknown
    vendorWords: unknown
  }
  messageApp: {
    messageAppNo: string
    enabled: string
    appCode: string
    appName: string
    merchantNos: string[]
    appChannels: Json
    defaultLanguage: string
    quietFrom: string
    quietUntil: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  messageTemplate: {
    templateNo: string
    templateStatus: string
    templateVersion: Generated<number>
    templateName: string
    nodeNo: string
    appCode: string | null
    channelType: string
    contactType: string
    merchantNo: string | null
    language: string
    title: string | null
    content: string
    segments: number | null
    createdBy: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    version: Generated<number>
  }
  messageTemplateVersion: {
    templateNo: string
    templateVersion: number
    title: string | null
    content: string
    enabledBy: string
    enabledTime: Instant
  }
  nameList: {
    nameListNo: string
    enabled: string
    nameListName: string
    listKind: string
    dimension: string
    listEffect: string
    merchantNo: string | null
    defaultMonths: number
    feedKey: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
    byHand: Generated<boolean>
  }
  nameListHit: {
    listHitNo: string
    itemNo: string
    orderNo: string
    listEffect: string
    hitAt: Instant
  }
  nameListItem: {
    itemNo: string
    itemStatus: string
    nameListNo: string
    valueHash: string
    valueSealed: string
    displayValue: string
    reasonCode: string
    remark: string | null
    listSource: string
    evidenceNo: string | null
    createdBy: string
    createdByName: string
    createdTime: Instant
    expireTime: Instant
    timesHit: Generated<number>
    lastHit: Instant | null
    version: Generated<number>
  }
  numberRange: {
    kind: string
    lastValue: Generated<number>
  }
  orderBvn: {
    orderNo: string
    bvn: string
    bvnResult: Generated<string>
    bvnName: string | null
    bvnBirthDate: string | null
    bvnPhone: string | null
    askedBy: string | null
    askedTime: Instant | null
    answeredTime: Instant | null
    version: Generated<number>
  }
  orderCollected: {
    orderNo: string
    apps: unknown
    positions: unknown
    sim: unknown
    faceScore: string | null
    faceFeatures: string[] | null
  }
  orderConsent: {
    orderNo: string
    consentKind: string
    consentTime: Instant
  }
  orderContact: {
    contactNo: string
    orderNo: string
    contactSource: Generated<string>
    relation: string
    contactName: string
    contactPhone: string
    sort: Generated<number>
    callCount: number | null
    smsCount: number | null
    callMinutes: number | null
    lastCallTime: Instant | null
    inPhoneBook: boolean | null
  }
  orderContract: {
    loanCode: string
    orderNo: string
    contractNo: string
    versionNo: string
    contractType: string
    signedTime: Instant
    sha256: string
    textZh: string
    textEn: string
    textSw: string
  }
  orderDay: {
    businessDate: string
    orderNo: string
    merchantNo: string
    productNo: string
    loanKind: string
    lenderName: string | null
    track: string
    appName: string
    incomingChannel: string | null
    customerNo: string
    orderStatus: string
    overdueDays: number
    caseLevel: string | null
    originalOverdueDays: number
    extended: boolean
    inBadDebt: Generated<boolean>
    principal: string
    interest: string
    fee: string
    penalty: string
  }
  orderListValue: {
    orderNo: string
    valueHash: string
  }
  orderPayoutHistory: {
    orderNo: string
    changedTime: Instant
    changedBy: string
    payoutType: string
    payoutSubtype: string
    walletAccount: string | null
    bankName: string | null
    branch: string | null
    bankCardNo: string | null
    cardholderName: string
  }
  orderRetrieval: {
    retrievalNo: string
    retrievalBatchNo: string
    enteredNo: string
    orderNo: string | null
    retrievalStatus: string
    statusBefore: string | null
    before: unknown
    failReason: string | null
    createdBy: string
    createdTime: Instant
    finishedTime: Instant | null
    version: Generated<number>
  }
  org: {
    orgNo: string
    orgName: string
    parentOrgNo: string | null
    companyCode: string
    signInUnbound: Generated<boolean>
    orgType: Generated<string>
    version: Generated<number>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    loanDailyLimit: string | null
  }
  outbox: {
    outboxNo: Generated<number>
    topic: string
    objectNo: string
    payload: Json
    outboxStatus: Generated<string>
    dueTime: Instant
    leaseUntil: Instant | null
    tries: Generated<number>
    lastError: string | null
    createdTime: Instant
    doneTime: Instant | null
  }
  overpayment: {
    overpaymentNo: string
    customerNo: string
    merchantNo: string
    overpaymentStatus: string
    credited: Generated<string>
    refunded: Generated<string>
    reapplied: Generated<string>
    reserved: Generated<string>
    version: Generated<number>
  }
  pageStay: {
    enterNo: number
    exitNo: number | null
    eventId: string
    orderNo: string
    sessionNo: string
    userNo: string
    enterTime: Instant
    exitTime: Instant
    seconds: number
    estimated: Generated<boolean>
  }
  partnerGrant: {
    partnerNo: string
    partnerName: string
    clientId: string
    secretHash: string
    origins: string[]
    widgets: string[]
    perms: string[]
    merchantNos: string[]
    enabled: Generated<boolean>
    expireTime: Instant | null
    lastMintTime: Instant | null
    createdTime: Instant
    version: Generated<number>
    moneyCommands: Generated<string[]>
  }
  payLink: {
    linkNo: string
    linkStatus: string
    orderNo: string
    merchantNo: string
    customerNo: string
    amount: string
    linkCode: string
    expireTime: Instant
    timesSent: Generated<number>
    flowNo: string | null
    paidTime: Instant | null
    revokeReason: string | null
    createdBy: string
    createdName: string
    createdTime: Instant
    version: Generated<number>
  }
  payLinkAsk: {
    payRef: string
    linkNo: string
    channel: string
    phone: string
    askedTime: Instant
    endTime: Instant | null
    outcome: string | null
  }
  paymentDisplay: {
    displayNo: string
    enabled: string
    merchantNo: string
    channel: string
    direction: string
    displayName: Json
    hint: unknown
    sort: number
    minAmount: string
    maxAmount: string
    fundAccountNo: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  penaltyTick: {
    billNo: string
    businessDate: string
    generation: Generated<number>
    lateFee: string
    liquidatedDamages: string
    journalNo: number | null
    reversed: Generated<boolean>
  }
  phoneRecharge: {
    phoneBillNo: string
    userNo: string
    purposeMonth: string
    batchNo: string
    batchRow: number
    post: string
    phone: string
    network: string
    amount: string
    monthCap: string
    phoneBillStatus: string
    remark: string | null
    makerNo: string
    makerName: string
    createdTime: Instant
    checkerNo: string | null
    checkerName: string | null
    auditTime: Instant | null
    auditReason: string | null
    fundAccountNo: string | null
    attemptNo: Generated<number>
    serialNo: string | null
    failType: string | null
    failReason: string | null
    finishTime: Instant | null
    version: Generated<number>
  }
  product: {
    productNo: string
    productName: string
    merchantNo: string
    enabled: Generated<string>
    terms: unknown
    version: Generated<number>
    track: string
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    deletedTime: Instant | null
  }
  productReview: {
    reviewNo: string
    reviewStatus: string
    marketProductNo: string
    customerNo: string
    merchantNo: string
    appCode: string
    appVersion: string
    rating: number
    reviewText: string
    reviewLanguage: string
    productThen: Json
    wordHeld: Generated<boolean>
    reportCount: Generated<number>
    hideReason: string | null
    hideRemark: string | null
    handledBy: string | null
    handledTime: Instant | null
    replyText: string | null
    replyTime: Instant | null
    repliedBy: string | null
    pendingSince: Instant
    createdTime: Instant
    version: Generated<number>
  }
  productReviewReport: {
    reviewNo: string
    customerNo: string
    at: Instant
  }
  productVersion: {
    versionNo: string
    versionStatus: string
    productNo: string
    track: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  promoCode: {
    promoCode: string
    couponTemplateNo: string
    maxUses: number
    usedCount: Generated<number>
    startTime: Instant
    endTime: Instant
    stoppedTime: Instant | null
    stoppedBy: string | null
    makerName: string
    createdTime: Instant
    version: Generated<number>
  }
  promotionChannel: {
    channelNo: string
    enabled: string
    promotionChannel: string
    channelName: string
    media: string
    merchantNo: string
    appCode: string
    ownerUserNo: string
    costMode: string
    unitPrice: string
    dailyBudget: string
    dailyRegisterCap: number
    landingUrl: string
    startDate: string | null
    endDate: string | null
    postbackUrl: string | null
    postbackEvents: Generated<string[]>
    postbackHost: string | null
    agreedHost: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  reReviewApply: {
    reReviewNo: string
    orderNo: string
    reReviewStatus: string
    applicantNo: string
    reason: string
    businessDate: string
    statusBefore: string
    refusedBy: string | null
    refuseCode: string | null
    createdTime: Instant
    finishedTime: Instant | null
    version: Generated<number>
  }
  reReviewCountRule: {
    countRuleNo: string
    roleNo: string | null
    userNo: string | null
    dailyCount: number
    enabled: string
    version: Generated<number>
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    deletedTime: Instant | null
  }
  reReviewQuota: {
    userNo: string
    businessDate: string
    submitted: Generated<number>
  }
  reReviewRule: {
    ruleNo: string
    merchantNo: string | null
    fromStatuses: string[]
    windowDays: number
    excludedCodes: Generated<string[]>
    excludedLevels: Generated<string[]>
    perOrderMax: number
    enabled: string
    version: Generated<number>
    createdTime: Generated<Instant>
    updatedBy: Generated<string>
    updatedTime: Generated<Instant>
    deletedTime: Instant | null
  }
  reconItem: {
    reconItemNo: string
    reconKind: string
    reconStatus: string
    channel: string | null
    reference: string | null
    amount: string | null
    difference: Generated<string>
    objectType: string | null
    objectNo: string | null
    remark: string | null
    createdTime: Instant
    closedTime: Instant | null
    version: Generated<number>
    fundAccountNo: string | null
    lineNo: string | null
    bookingNo: number | null
    gap: Generated<string>
    gapDate: string | null
    gapUntil: string | null
    handlerNo: string | null
    handlerName: string | null
    reconCause: string | null
  }
  reconRun: {
    reconNo: string
    fundAccountNo: string
    reconDate: string
    statementNo: string | null
    openingStatement: string | null
    closingStatement: string | null
    openingLedger: string
    closingLedger: string
    inFlight: Generated<string>
    matchedCount: Generated<number>
    matchedSum: Generated<string>
    openCount: Generated<number>
    openSum: Generated<string>
    unexplained: string | null
    reconResult: string
    runTime: Instant
    version: Generated<number>
  }
  recoveryCode: {
    userNo: string
    codeHash: string
    createdTime: Instant
    usedTime: Instant | null
  }
  refuseCode: {
    refuseCode: string
    level: number
    parentCode: string | null
    nameZh: string
    nameEn: string
    nameSw: string
    customerText: string | null
    needRemark: Generated<boolean>
    coolingDays: Generated<number>
    enabled: Generated<boolean>
  }
  repayFlow: {
    flowNo: string
    channel: string
    serialNo: string
    flowStatus: string
    amount: string
    applied: Generated<string>
    refunded: Generated<string>
    entryTime: Instant
    paymentCode: string | null
    fundAccountNo: string | null
    payerName: string | null
    payerAccount: string | null
    isrecord: Generated<boolean>
    source: string
    merchantNo: string | null
    customerNo: string | null
    waitReason: string | null
    createdBy: string
    createdTime: Instant
    version: Generated<number>
    proof: string | null
  }
  repayPlan: {
    billNo: string
    orderNo: string
    installmentNo: number
    dueDate: string
    billStatus: string
    principalDue: string
    interestDue: string
    serviceFeeDue: string
    managementFeeDue: string
    lateFeeDue: Generated<string>
    liquidatedDamagesDue: Generated<string>
    principalPaid: Generated<string>
    interestPaid: Generated<string>
    serviceFeePaid: Generated<string>
    managementFeePaid: Generated<string>
    lateFeePaid: Generated<string>
    liquidatedDamagesPaid: Generated<string>
    principalWaived: Generated<string>
    interestWaived: Generated<string>
    serviceFeeWaived: Generated<string>
    managementFeeWaived: Generated<string>
    lateFeeWaived: Generated<string>
    liquidatedDamagesWaived: Generated<string>
    settledTime: Instant | null
    settledDate: string | null
    extended: Generated<boolean>
    extensionCount: Generated<number>
    version: Generated<number>
  }
  repayRecord: {
    repaymentNo: string
    orderNo: string
    repayType: string
    recordStatus: string
    recordSeq: number
    amount: string
    overflowAmount: Generated<string>
    reductionAmount: Generated<string>
    couponAmount: Generated<string>
    valueDate: string
    repaymentTime: Instant
    postedBy: string
    postedName: string
    remark: string | null
    trial: Json
    settledOrder: Generated<boolean>
    rolledBackTime: Instant | null
    rolledBackBy: string | null
    requestId: string
    version: Generated<number>
    extensionFee: Generated<string>
    couponNo: string | null
  }
  repayRecordFlow: {
    repaymentNo: string
    flowNo: string
    writeOffAmount: string
  }
  repayRecordLine: {
    repaymentNo: string
    billNo: string
    component: string
    applied: Generated<string>
    waived: Generated<string>
  }
  retrievalBatch: {
    retrievalBatchNo: string
    batchStatus: string
    source: string
    fileName: string | null
    importNo: string | null
    total: Generated<number>
    okCount: Generated<number>
    failCount: Generated<number>
    rowCursor: Generated<number>
    createdBy: string
    createdTime: Instant
    confirmTime: Instant | null
    finishedTime: Instant | null
    version: Generated<number>
  }
  retrievalEntry: {
    retrievalBatchNo: string
    rowNo: number
    enteredNo: string
  }
  rightsVersion: {
    onlyRow: Generated<boolean>
    version: number
  }
  riskCutoff: {
    cutoffNo: string
    enabled: string
    modelNo: string
    cutoffName: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  riskCutoffVersion: {
    versionNo: string
    versionStatus: string
    cutoffNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  riskDecision: {
    decisionNo: string
    orderNo: string
    evalNo: number
    decision: string
    refuseCode: string | null
    modelNo: string | null
    modelVersion: number | null
    modelScore: number | null
    modelLevel: string | null
    suggestedAmount: string | null
    priceVersionNo: string | null
    ruleVersions: string[]
    ruleSets: Json
    inputs: Json
    resultHash: string
    listHits: Generated<Json>
    durationMs: number
    decidedTime: Instant
  }
  riskDecisionHit: {
    decisionNo: string
    hitNo: number
    ruleSetNo: string
    versionNo: string
    ruleNo: string
    ruleAction: string
    ruleMode: string
    outcome: string
    refuseCode: string | null
    acts: boolean
    decidedTime: Instant
  }
  riskFactSnapshot: {
    orderNo: string
    evalNo: number
    facts: Json
    createdTime: Instant
  }
  riskModel: {
    modelVersionNo: string
    enabled: string
    modelNo: string
    modelVersion: number
    modelName: string
    modelKind: string
    scoreMin: number
    scoreMax: number
    basePoints: number | null
    bins: unknown
    endpoint: string | null
    factKeys: string[] | null
    sha256: string
    psiLook: string
    psiAct: string
    examples: Generated<Json>
    development: unknown
    credential: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  riskModelDay: {
    modelVersionNo: string
    day: string
    scored: number
    missing: number
    meanScore: number | null
    psi: string | null
    psi7: string | null
    histogram: Json
  }
  riskModelScore: {
    scoreNo: GeneratedAlways<number>
    orderNo: string
    evalNo: number
    modelVersionNo: string
    modelRole: string
    modelScore: number | null
    modelLevel: string | null
    bandDecision: string | null
    reasons: Generated<Json>
    missingFacts: Generated<string[]>
    durationMs: number
    scoredTime: Instant
  }
  riskModelTest: {
    modelTestNo: string
    modelVersionNo: string
    modelTestResult: string
    modelTestFault: string | null
    sampleCount: number
    knownCount: number
    result: Json
    testedBy: string
    testedTime: Instant
  }
  riskModelVersion: {
    versionNo: string
    versionStatus: string
    modelVersionNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
    emergencyUntil: Instant | null
    keptTime: Instant | null
    keptBy: string | null
  }
  riskOutcome: {
    orderNo: string
    bad: boolean
    ever30: boolean
    settled: boolean
    lossPrincipal: string
    knownTime: Instant
  }
  riskPlan: {
    planNo: string
    enabled: string
    productNo: string
    loanKind: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  riskPlanVersion: {
    versionNo: string
    versionStatus: string
    planNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  riskPricing: {
    pricingNo: string
    enabled: string
    productNo: string
    loanKind: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  riskPricingVersion: {
    versionNo: string
    versionStatus: string
    pricingNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  riskRuleSet: {
    ruleSetNo: string
    enabled: string
    ruleSetName: string
    stage: string
    sort: Generated<number>
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  riskRuleSetVersion: {
    versionNo: string
    versionStatus: string
    ruleSetNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
    emergencyUntil: Instant | null
    keptTime: Instant | null
    keptBy: string | null
  }
  riskTestRow: {
    testRowNo: string
    testNo: string
    orderNo: string
    decisionNo: string
    oldDecision: string
    newDecision: string
    oldCode: string | null
    newCode: string | null
    newHits: string[]
    goneHits: string[]
    wentBad: boolean | null
  }
  riskTestRun: {
    testNo: string
    testStatus: string
    ruleSetNo: string
    versionNo: string
    stage: string
    sort: number
    content: Json
    sampleFrom: string
    sampleTo: string
    merchantNos: Generated<string[]>
    productNos: Generated<string[]>
    loanKinds: Generated<string[]>
    sampleMost: number
    seed: number
    sampleCount: number | null
    doneCount: Generated<number>
    result: unknown
    createdBy: string
    createdTime: Instant
    finishedTime: Instant | null
    version: Generated<number>
  }
  riskTestSample: {
    testNo: string
    decisionNos: string[]
  }
  role: {
    roleNo: string
    roleName: string
    roleNature: string
    sensitivePerms: Generated<string[]>
    everyCode: Generated<boolean>
    post: string | null
    remark: string | null
    updatedBy: string | null
    updatedTime: Instant | null
    version: Generated<number>
  }
  roleMenu: {
    roleNo: string
    menuNo: string
    limitType: string | null
  }
  savedView: {
    viewNo: string
    ownerNo: string
    widget: string
    viewName: string
    filters: Json
    columns: string[]
    sort: string
    density: string | null
    shared: Generated<boolean>
    createdTime: Instant
    updatedTime: Instant
    version: Generated<number>
  }
  savedViewDefault: {
    userNo: string
    widget: string
    viewNo: string
  }
  securityLog: {
    securityNo: Generated<number>
    at: Instant
    securityKind: string
    partnerNo: string | null
    userNo: string | null
    objectNo: string | null
    origin: string | null
    path: string
    ip: string | null
    requestId: string
  }
  sensitiveField: {
    fieldKey: string
    dataClass: string
    listMask: string
    revealHourCap: number
    revealDayCap: number
    reasonRequired: boolean
    codeRequired: boolean
    updatedBy: string
    updatedTime: Instant
    version: number
  }
  sensitiveFieldChange: {
    changeNo: Generated<number>
    fieldKey: string
    version: number
    changes: Json
    changedBy: string
    changedName: string
    checkedBy: string | null
    changedTime: Instant
  }
  sensitiveWord: {
    wordNo: string
    enabled: string
    word: string
    normalWord: string
    wordLanguage: string
    category: string
    scopes: string[]
    wordAction: string
    replacement: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  sensitiveWordHit: {
    hitNo: string
    wordNo: string
    word: string
    wordAction: string
    scope: string
    userNo: string
    hitTime: Instant
    hitText: string
    hitStart: number
    hitEnd: number
    objectType: string | null
    objectNo: string | null
  }
  session: {
    sessionNo: string
    tokenHash: string
    userNo: string
    createdTime: Instant
    lastSeenTime: Instant
    endedTime: Instant | null
    endedReason: string | null
    ip: string | null
    browser: string | null
    device: string | null
    replacedBy: string | null
    language: string | null
  }
  signInLink: {
    linkHash: string
    userNo: string
    createdTime: Instant
    expiresTime: Instant
    usedTime: Instant | null
    channel: string | null
  }
  smsBudget: {
    budgetMonth: string
    takenAmount: Generated<string>
  }
  smsInbound: {
    inboundNo: Generated<number>
    accountNo: string
    vendorRef: string
    phone: string
    body: string
    wish: string | null
    receivedTime: Instant
  }
  smsNetwork: {
    phone: string
    network: string
    reason: string
    updatedBy: string
    updatedTime: Instant
  }
  smsReport: {
    reportNo: Generated<number>
    accountNo: string
    vendorRef: string | null
    body: string
    outcome: string
    receivedTime: Instant
  }
  smsRouteMarketing: {
    routeNo: string
    enabled: string
    merchantNo: string | null
    appCode: string | null
    network: string
    scenes: Generated<string[]>
    accountNo: string
    senderId: string
    routeWeight: number
    failoverOrder: number
    textsADay: number | null
    windowStart: string | null
    windowEnd: string | null
    skippedUntil: Instant | null
    whySkipped: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  smsRouteVerify: {
    routeNo: string
    enabled: string
    merchantNo: string | null
    appCode: string | null
    network: string
    scenes: Generated<string[]>
    accountNo: string
    senderId: string
    routeWeight: number
    failoverOrder: number
    textsADay: number | null
    windowStart: string | null
    windowEnd: string | null
    skippedUntil: Instant | null
    whySkipped: string | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  smsTask: {
    taskNo: string
    smsTaskStatus: string
    taskName: string
    configNo: string | null
    businessDate: string | null
    sendTime: Instant
    ratePerMinute: number
    matchedCount: Generated<number>
    startedTime: Instant | null
    endedTime: Instant | null
    createdBy: string
    createdTime: Instant
    version: Generated<number>
    merchantNo: string
    templateNo: string | null
    templateVersion: number | null
    languageMode: Generated<string>
    language: string | null
    audienceSource: Generated<string>
    audience: unknown
    userGroupNo: string | null
    fillCursor: string | null
    filledTime: Instant | null
    awaitsApproval: Generated<boolean>
    heldBack: string | null
    partPrice: string | null
    budgetMonth: string | null
    takenAmount: Generated<string>
    costEstimate: string | null
    partsEstimate: number | null
    retries: Generated<number>
    blockedCount: Generated<number>
    recipientCount: Generated<number>
    acceptedCount: Generated<number>
    refusedCount: Generated<number>
    deliveredCount: Generated<number>
    failedCount: Generated<number>
    unknownCount: Generated<number>
    cancelledCount: Generated<number>
    handledCount: Generated<number>
    segmentsTotal: Generated<number>
    costActual: string | null
    optOutCount: Generated<number>
    appliedCount: Generated<number>
    paidOutCount: Generated<number>
    paidOutAmount: Generated<string>
  }
  smsTaskRecipient: {
    taskNo: string
    phone: string
    customerNo: string
    merchantNo: string
    orderNo: string | null
    templateNo: string
    takenTime: Instant | null
    blockReason: string | null
  }
  smsTemplate: {
    templateNo: string
    templateStatus: string
    templateVersion: Generated<number>
    templateName: string
    merchantNo: string
    contentEn: string
    contentSw: string
    contentZh: string | null
    segments: number
    authorNo: string
    enabledBy: string | null
    createdBy: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    version: Generated<number>
  }
  smsTemplateVersion: {
    templateNo: string
    templateVersion: number
    contentEn: string
    contentSw: string
    contentZh: string | null
    authorNo: string
    enabledBy: string
    enabledTime: Instant
  }
  staffDay: {
    businessDate: string
    userNo: string
    staffType: string
    metricKey: string
    value: string
    groupNo: string | null
    deptNo: string
    principalMerchantNo: string
  }
  staffMessage: {
    staffMessageNo: string
    userNo: string
    messageType: string
    template: string
    params: Json
    objectType: string
    objectNo: string
    route: string | null
    createdTime: Instant
    readTime: Instant | null
  }
  stateTransition: {
    transitionNo: Generated<number>
    machine: string
    objectNo: string
    event: string
    fromState: string
    toState: string
    actor: string
    requestId: string
    at: Instant
    payload: unknown
  }
  statement: {
    statementNo: string
    fundAccountNo: string
    statementDate: string
    opening: string
    closing: string
    lineSum: string
    lineCount: number
    source: string
    fileHash: string
    createdBy: string
    createdTime: Instant
  }
  statementFile: {
    fileNo: string
    fundAccountNo: string
    sha256: string
    uploadNo: string
    statementFormat: string
    fromDate: string
    toDate: string
    lineCount: number
    addedCount: number
    knownCount: number
    broughtBy: string
    broughtTime: Instant
  }
  statementLine: {
    lineNo: string
    statementNo: string
    fundAccountNo: string
    statementDate: string
    serialNo: string
    direction: string
    lineKind: string
    amount: string
    entryTime: Instant
    reference: string | null
    relatesTo: string | null
    payerName: string | null
    payerAccount: string | null
    narrative: string | null
    lineStatus: string
    matchNo: string | null
    suggestedBookingNo: number | null
    version: Generated<number>
  }
  stepUp: {
    tokenHash: string
    sessionNo: string | null
    perm: string | null
    createdTime: Instant
    expiresTime: Instant
    chainNo: string | null
  }
  supermarketPlatform: {
    platformNo: string
    enabled: string
    platformName: string
    platformKind: string
    legalName: string
    licenceNo: string
    licenceExpiry: string
    contactPerson: string
    contactEmail: string
    allowedHosts: string
    settlementMode: string
    unitPrice: string | null
    sharePercent: string | null
    consentText: Json
    keyTurn: Generated<number>
    keyTime: Instant | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
    prefillUrl: string | null
    prefillFields: string[] | null
    consentVersion: Generated<number>
  }
  tempQuotaGrant: {
    grantNo: string
    grantStatus: string
    quotaTaskNo: string
    customerNo: string
    merchantNo: string
    quotaAmount: string
    startTime: Instant
    endTime: Instant
    consentTime: Instant | null
    consentSource: string | null
    recordingNo: string | null
    boundOrderNo: string | null
    usedAmount: Generated<string>
    returnedAmount: Generated<string>
    usedTime: Instant | null
    revokeReason: string | null
    createdTime: Instant
    version: Generated<number>
  }
  tempQuotaRow: {
    quotaTaskNo: string
    rowNo: number
    named: string
    customerNo: string | null
    grantNo: string | null
    failReason: string | null
  }
  tempQuotaTask: {
    quotaTaskNo: string
    quotaTaskStatus: string
    merchantNo: string
    quotaAmount: string
    customerCount: number
    startDate: string
    validityDays: number
    reason: string
    applicantNo: string
    applicantName: string
    createdTime: Instant
    checkerNo: string | null
    checkerName: string | null
    auditTime: Instant | null
    auditReason: string | null
    finishTime: Instant | null
    version: Generated<number>
  }
  trackingEvent: {
    eventNo: Generated<number>
    receivedTime: Instant
    sessionNo: string | null
    payload: Json
  }
  trafficChannel: {
    userNo: string
    channelNo: string
    fromTime: Instant
    untilTime: Instant | null
  }
  trafficPerson: {
    userNo: string
    groupNo: string | null
    groupHead: Generated<boolean>
    principalMerchantNo: string | null
    associatedMerchantNos: Generated<string[]>
    trafficKind: Generated<string>
    promoterCode: string | null
    aiEmployee: Generated<boolean>
    goneTime: Instant | null
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    version: Generated<number>
  }
  trafficPromoCode: {
    promoCode: string
    userNo: string
    createdTime: Instant
  }
  trafficStatDaily: {
    userNo: string
    channelNo: string
    statDate: string
    registerCount: number
    incomingCount: number
    paidOutCount: number
    payoutAmount: string
    costAmount: string
  }
  transferApply: {
    transferNo: string
    fromAccountNo: string
    toAccountNo: string
    transferAmount: string
    transferPurpose: string
    transferStatus: string
    approvalNeeded: number
    round: Generated<number>
    checkerCap: string
    dualCap: string
    fromBalanceThen: string
    toBalanceThen: string
    remark: string | null
    auditReason: string | null
    applyTime: Instant
    submitTime: Instant
    makerNo: string
    makerName: string
    payerUserNo: string | null
    attemptNo: Generated<number>
    serialNo: string | null
    failType: string | null
    failReason: string | null
    payTime: Instant | null
    arriveTime: Instant | null
    version: Generated<number>
  }
  transferApproval: {
    transferNo: string
    round: number
    userNo: string
    realName: string
    makerNo: string
    approvedTime: Instant
    remark: string | null
  }
  unrenewedConfig: {
    configNo: string
    enabled: string
    configName: string
    merchantNos: string[]
    loanKind: string
    memberLevels: string[] | null
    sendDays: Json
    maxOverdueDays: number
    textTime: string
    perCustomerMax: number
    effectiveTime: Instant
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  upload: {
    uploadNo: string
    userNo: string
    uploadStatus: string
    purpose: string
    fileName: string
    extension: string
    size: number
    sha256: string
    chunkBytes: number
    fileId: string
    fileType: string | null
    fileSize: number | null
    fileSha256: string | null
    width: number | null
    height: number | null
    refusal: string | null
    createdTime: Instant
    expireTime: Instant
    version: Generated<number>
  }
  uploadChunk: {
    uploadNo: string
    chunkNo: number
    sha256: string
  }
  userEvent: {
    eventNo: Generated<number>
    xid: Generated<number>
    userNo: string
    sessionNo: string | null
    event: string
    createdTime: Generated<Instant>
  }
  userGroup: {
    userGroupNo: string
    userGroupName: string
    userGroupKind: string
    ruleKey: string | null
    merchantNos: Generated<string[]>
    memberCount: Generated<number>
    refreshTime: Instant | null
    expireTime: Instant | null
    createdBy: string
    createdTime: Instant
    version: Generated<number>
  }
  userGroupMember: {
    userGroupNo: string
    merchantNo: string
    phone: string
    customerNo: string
    memberNo: string | null
    importNo: string | null
  }
  userMerchant: {
    userNo: string
    merchantNo: string
  }
  userMfa: {
    userNo: string
    mfaStatus: string
    sealedSecret: string | null
    lastStep: Generated<number>
    boundTime: Instant | null
    version: Generated<number>
    qrUntil: Instant | null
    qrLeft: Generated<number>
    bindTries: Generated<number>
    resetTime: Instant | null
    moneyFrom: Instant | null
  }
  userRole: {
    userNo: string
    roleNo: string
  }
  verifyCode: {
    codeNo: string
    codeStatus: string
    version: Generated<number>
    scene: string
    challengeId: string | null
    userNo: string | null
    merchantNo: string | null
    appCode: string | null
    channelType: string
    phone: string | null
    email: string | null
    network: string | null
    codeHash: string
    language: string
    tries: Generated<number>
    ip: string | null
    sendTime: Instant
    expiresTime: Instant
    usedTime: Instant | null
    messageNo: string | null
    moves: Generated<number>
  }
  verifyCodeLift: {
    phone: string
    businessDate: string
    untilTime: Instant
    reason: string
    createdBy: string
    createdTime: Instant
  }
  vipChange: {
    changeNo: Generated<number>
    customerNo: string
    fromLevel: string
    toLevel: string
    vipReason: string
    changedBy: string
    changedTime: Instant
  }
  vipLadder: {
    ladderNo: string
    enabled: string
    createdTime: Instant
    updatedBy: string
    updatedTime: Instant
    deletedTime: Instant | null
    version: Generated<number>
  }
  vipLadderVersion: {
    versionNo: string
    versionStatus: string
    ladderNo: string
    content: Json
    effectiveTime: Instant | null
    supersededTime: Instant | null
    reason: string | null
    approvalNo: string | null
    makerNo: string
    makerName: string
    checkerNo: string | null
    checkerName: string | null
    startFault: string | null
    createdTime: Instant
    version: Generated<number>
  }
  walletEntry: {
    entryNo: Generated<number>
    customerNo: string
    merchantNo: string
    entryKind: string
    reference: string
    amount: string
    walletBalance: string
    entryTime: Instant
  }
  walletReward: {
    rewardNo: string
    customerNo: string
    merchantNo: string
    rewardType: string
    activityType: string
    sourceNo: string
    rewardAmount: string
    walletBalance: string
    rewardTime: Instant
  }
  walletWithdrawal: {
    withdrawNo: string
    customerNo: string
    merchantNo: string
    requestNo: string
    withdrawAmount: string
    withdrawStatus: string
    channel: string
    walletAccount: string
    fundAccountNo: string
    attemptNo: Generated<number>
    failType: string | null
    failReason: string | null
    serialNo: string | null
    cancelReason: string | null
    createdTime: Instant
    finishTime: Instant | null
    version: Generated<number>
  }
  warning: {
    warningNo: string
    dedupeKey: string
    warningStatus: string
    warningType: string
    warningLevel: string
    perm: string
    merchantNo: string | null
    objectType: string
    objectNo: string | null
    route: string | null
    facts: Json
    affected: Generated<Json>
    firstTime: Instant
    lastTime: Instant
    occurCount: Generated<number>
    ackBy: string | null
    ackName: string | null
    ackTime: Instant | null
    resolveTime: Instant | null
    resolveName: string | null
    resolveRemark: string | null
    version: Generated<number>
  }
  warningOccurrence: {
    occurrenceNo: Generated<number>
    warningNo: string
    at: Instant
    facts: Json
  }
}
