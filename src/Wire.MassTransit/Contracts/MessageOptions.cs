using System.Diagnostics.CodeAnalysis;
using MassTransit;
using MassTransit.Courier.Messages;
using MassTransit.Events;
using MassTransit.JobService.Messages;
using MassTransit.Metadata;
using MassTransit.Scheduling;
using Wire.MassTransit.Envelopes;
using Wire.MassTransit.Surrogates;
using Wire.Runtime;

namespace Wire.MassTransit.Contracts;

/// <summary>The options of serializers: what MassTransit needs, added to what the program has set.</summary>
internal static class MessageOptions
{
    // The name of the interface that a message was made for: whoever reads it asks for that interface, or for a base of it, and gets the
    // members that his interface has.
    private const string Root = "Wire.MassTransit.Message";

    // The classes of messages and their parts that MassTransit itself sends.
    private static readonly Type[] Own =
    [
        typeof(FaultEvent), typeof(FaultEvent<>), typeof(ReceiveFaultEvent), typeof(FaultExceptionInfo), typeof(BusHostInfo),
        typeof(ScheduleMessageCommand), typeof(ScheduleMessageCommand<>), typeof(ScheduleRecurringMessageCommand),
        typeof(ScheduleRecurringMessageCommand<>), typeof(CancelScheduledMessageCommand), typeof(CancelScheduledRecurringMessageCommand),
        typeof(PauseScheduledRecurringMessageCommand), typeof(ResumeScheduledRecurringMessageCommand),
        typeof(RoutingSlipRoutingSlip), typeof(RoutingSlipActivity), typeof(RoutingSlipActivityLog), typeof(RoutingSlipCompensateLog),
        typeof(RoutingSlipActivityException), typeof(RoutingSlipSubscription), typeof(RoutingSlipCompletedMessage),
        typeof(RoutingSlipFaultedMessage), typeof(RoutingSlipActivityCompletedMessage), typeof(RoutingSlipActivityFaultedMessage),
        typeof(RoutingSlipActivityCompensatedMessage), typeof(RoutingSlipActivityCompensationFailedMessage),
        typeof(RoutingSlipCompensationFailedMessage), typeof(RoutingSlipTerminatedMessage), typeof(RoutingSlipRevisedMessage),
        typeof(AllocateJobSlotCommand), typeof(CancelJobAttemptCommand), typeof(CancelJobCommand), typeof(CompleteJobCommand),
        typeof(FaultJobCommand), typeof(FinalizeJobAttemptCommand), typeof(FinalizeJobCommand), typeof(GetJobAttemptStatusRequest),
        typeof(GetJobStateRequest), typeof(JobAttemptCanceledEvent), typeof(JobAttemptCompletedEvent), typeof(JobAttemptFaultedEvent),
        typeof(JobAttemptStartedEvent), typeof(JobAttemptStatusResponse), typeof(JobCanceledEvent), typeof(JobCompletedEvent),
        typeof(JobCompletedEvent<>), typeof(JobFaultedEvent), typeof(JobRetryDelayElapsedEvent), typeof(JobSlotAllocatedResponse),
        typeof(JobSlotReleasedEvent), typeof(JobSlotUnavailableResponse), typeof(JobSlotWaitElapsedEvent), typeof(JobStartedEvent),
        typeof(JobStartedEvent<>), typeof(JobStateResponse), typeof(JobStateResponse<>), typeof(JobStatusCheckRequestedEvent),
        typeof(JobSubmissionAcceptedResponse), typeof(JobSubmittedEvent), typeof(RecurringJobScheduleInfo), typeof(RetryJobCommand),
        typeof(RunJobCommand), typeof(SaveJobStateCommand), typeof(SetConcurrentJobLimitCommand), typeof(SetJobProgressCommand),
        typeof(StartJobAttemptCommand), typeof(StartJobCommand), typeof(SubmitJobCommand<>),

        // What earlier versions wrote in place of BusHostInfo.
        typeof(EnvelopeHost),
    ];

    /// <summary>Adds what all messages need.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    public static SerializerOptions For(SerializerOptions options) => options with
    {
        TypeFilter = Own.Aggregate(options.TypeFilter, (filter, type) => filter.Allow(type)),
        Surrogates =
        [
            .. options.Surrogates,
            Surrogate.Create(typeof(MessageData<>), typeof(MessageDataReference<>)),
            Surrogate.Create(typeof(FaultExceptionInfo), typeof(ExceptionReference)),
        ],
    };

    /// <summary>Adds what messages of one type need; returns the same options when that is nothing.</summary>
    public static SerializerOptions For(SerializerOptions options, Type type)
    {
        Type[] contracts = [.. MessageContract.Within(type)];
        if (contracts.Length == 0)
        {
            return options;
        }

        TypeAliases aliases = options.TypeAliases;
        foreach (Type contract in contracts)
        {
            Type implementation = MessageContract.Implement(contract);
            string name = MessageContract.NameOf(contract);

            // A contract that refers to itself has both names: the second one where it is a member of a contract that derives from it.
            aliases = contract == type
                ? aliases.Alias(implementation, Root).Redirect(name, implementation)
                : aliases.Alias(implementation, name);
        }

        return options with { TypeAliases = aliases };
    }
}
