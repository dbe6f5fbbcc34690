namespace Wire;

/// <summary>
/// Says what becomes of values that one version of the types has written and another one reads, from the best to the worst.
/// </summary>
public enum ContractVerdict
{
    /// <summary>All values are read.</summary>
    Reads,

    /// <summary>
    /// Values are read without a part of them: members that the reader does not have are passed over, those that the payload does not have
    /// stay null or zero, names of enums become numbers.
    /// </summary>
    Loses,

    /// <summary>Some values are read, and others are refused with an error.</summary>
    RefusesSome,

    /// <summary>Every value is refused with an error.</summary>
    Refuses,
}
