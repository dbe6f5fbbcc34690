namespace Wire.Amqp.V091.Methods;

/// <summary>What the protocol says of methods.</summary>
internal static class MethodIds
{
    /// <summary>Whether a content header and a body follow the method.</summary>
    public static bool HasContent(this MethodId id) =>
        id is MethodId.BasicPublish or MethodId.BasicReturn or MethodId.BasicDeliver or MethodId.BasicGetOk;
}
