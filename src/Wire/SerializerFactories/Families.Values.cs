using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Runtime;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Exceptions;

namespace Wire.SerializerFactories;

/// <content>Values: tuples and what else of .NET stands for itself.</content>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static partial class Families
{
    private static Family[] Values() =>
    [
        Family.Members("System.Collections.Generic.KeyValuePair`2", () => typeof(KeyValuePair<,>)),
        Family.Members("System.Tuple`1", () => typeof(Tuple<>)),
        Family.Members("System.Tuple`2", () => typeof(Tuple<,>)),
        Family.Members("System.Tuple`3", () => typeof(Tuple<,,>)),
        Family.Members("System.Tuple`4", () => typeof(Tuple<,,,>)),
        Family.Members("System.Tuple`5", () => typeof(Tuple<,,,,>)),
        Family.Members("System.Tuple`6", () => typeof(Tuple<,,,,,>)),
        Family.Members("System.Tuple`7", () => typeof(Tuple<,,,,,,>)),
        Family.Members("System.Tuple`8", () => typeof(Tuple<,,,,,,,>)),
        Family.Members("System.ValueTuple", () => typeof(ValueTuple)),
        Family.Members("System.ValueTuple`1", () => typeof(ValueTuple<>)),
        Family.Members("System.ValueTuple`2", () => typeof(ValueTuple<,>)),
        Family.Members("System.ValueTuple`3", () => typeof(ValueTuple<,,>)),
        Family.Members("System.ValueTuple`4", () => typeof(ValueTuple<,,,>)),
        Family.Members("System.ValueTuple`5", () => typeof(ValueTuple<,,,,>)),
        Family.Members("System.ValueTuple`6", () => typeof(ValueTuple<,,,,,>)),
        Family.Members("System.ValueTuple`7", () => typeof(ValueTuple<,,,,,,>)),
        Family.Members("System.ValueTuple`8", () => typeof(ValueTuple<,,,,,,,>)),

        Family.Wrapper("System.Exception", () => typeof(Exception), () => typeof(ExceptionKind)),
        Family.Members("Wire.RemoteException", () => typeof(RemoteException)),
        Family.Wrapper(
            "System.ComponentModel.DataAnnotations.ValidationResult", () => typeof(ValidationResult), () => typeof(ValidationResultKind)),

        Family.Converted("System.WeakReference", () => typeof(WeakReference), registry => As<WeakReference, WeakTarget<object>>(
            registry, value => new(value.Target, value.TrackResurrection), parts => new(parts.Target, parts.TracksResurrection))),
        Family.Written("System.WeakReference`1", () => typeof(WeakReference<>), () => typeof(WeakReferenceSerializer<>)),
        Family.Single("System.DBNull", () => DBNull.Value),
        Family.Single("System.Reflection.Missing", () => Missing.Value),
        Family.Generic("System.Threading.CancellationToken", () => typeof(CancellationToken), () => typeof(CancellationTokenSerializer)),
    ];
}
