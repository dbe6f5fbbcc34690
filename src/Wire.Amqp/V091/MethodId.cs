namespace Wire.Amqp.V091;

/// <summary>Which method a frame carries: the class's number in the upper 16 bits, the method's in the lower.</summary>
public enum MethodId
{
    /// <summary>basic.publish</summary>
    BasicPublish = (60 << 16) | 40,

    /// <summary>basic.deliver</summary>
    BasicDeliver = (60 << 16) | 60,
}
