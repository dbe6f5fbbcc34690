using Wire.Amqp.V091;

namespace Wire.Amqp.Bodies;

/// <summary>An object as the body of a message.</summary>
internal readonly struct ObjectContent<T>(AmqpBody body, T value) : IContent
{
    public BodyWay Way(int maxAttached) => body.IsCompressing ? BodyWay.Gather : BodyWay.Measure;

    public void Describe(ref BasicProperties properties) => body.Describe(ref properties, value);

    public void WriteTo<TTarget>(ref TTarget target)
        where TTarget : struct, IBodyTarget, allows ref struct => body.WriteBody(ref target, value);
}
