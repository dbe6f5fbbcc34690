namespace Wire.Amqp.V091.Methods;

/// <summary>The protocol's rules for methods.</summary>
internal static class MethodIds
{
    /// <summary>Returns whether a content header and a body follow the method.</summary>
    public static bool HasContent(this MethodId id) =>
        id is MethodId.BasicPublish or MethodId.BasicReturn or MethodId.BasicDeliver or MethodId.BasicGetOk;
}
