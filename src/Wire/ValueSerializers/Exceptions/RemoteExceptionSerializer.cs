using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Exceptions;

/// <summary>Reads an exception of a missing or refused type as a <see cref="RemoteException"/>.</summary>
internal sealed class RemoteExceptionSerializer(ValueSerializer<RemoteException> inner, string typeName)
    : ValueSerializer<RemoteException>, IOwnSchema
{
    /// <summary>Returns whether the values of a writer's layout are exceptions.</summary>
    public static bool IsException(Shape? schema) =>
        schema is { Code: ShapeCode.Members, Members: [.., { Name: ExceptionKind.Part, Shape.Code: ShapeCode.Members }] };

    public override void Write(ref WireWriter writer, RemoteException value) => inner.Write(ref writer, value);

    public override RemoteException Read(ref WireReader reader)
    {
        RemoteException exception = inner.Read(ref reader);
        exception.TypeName = typeName;
        return exception;
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(inner);
}
