namespace Wire.Contracting;

/// <summary>The verdict on values of one variable, and the first reason for it.</summary>
internal readonly record struct Finding(ContractVerdict Verdict, string Reason = "")
{
    /// <summary>Gets whether the reason is listed, with its remedy, at another type.</summary>
    public bool IsElsewhere { get; init; }

    /// <summary>Gets the finding of values that are all read.</summary>
    public static Finding Reads => new(ContractVerdict.Reads);

    /// <summary>Returns the worse of two findings, and the first of two alike.</summary>
    public Finding Or(Finding other) => other.Verdict > Verdict ? other : this;

    /// <summary>Returns the finding for values that occur only sometimes, as those behind a reference.</summary>
    public Finding Sometimes() => Verdict == ContractVerdict.Refuses ? this with { Verdict = ContractVerdict.RefusesSome } : this;

    public static Finding Refuses(string reason) => new(ContractVerdict.Refuses, reason);

    public static Finding RefusesSome(string reason) => new(ContractVerdict.RefusesSome, reason);

    public static Finding Loses(string reason) => new(ContractVerdict.Loses, reason);
}
