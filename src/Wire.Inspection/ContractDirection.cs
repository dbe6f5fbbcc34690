namespace Wire;

/// <summary>Says who reads whose payloads.</summary>
public enum ContractDirection
{
    /// <summary>The new types read payloads of the old ones: what is still in queues and files.</summary>
    ReadsOld,

    /// <summary>The old types read payloads of the new ones: programs that have not been updated yet.</summary>
    IsReadByOld,
}
