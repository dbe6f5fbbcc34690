using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using Wire.Runtime;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Exceptions;
using Wire.ValueSerializers.Scalars;

namespace Wire.SerializerFactories;

/// <content>Values: tuples and what else of .NET stands for itself.</content>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static partial class Families
{
    private static Family[] Values() =>
    [
        Family.Members("System.Collections.Generic.KeyValuePair`2", () => Family.WithFields(typeof(KeyValuePair<,>))),
        Family.Members("System.Tuple`1", () => Family.WithFields(typeof(Tuple<>))),
        Family.Members("System.Tuple`2", () => Family.WithFields(typeof(Tuple<,>))),
        Family.Members("System.Tuple`3", () => Family.WithFields(typeof(Tuple<,,>))),
        Family.Members("System.Tuple`4", () => Family.WithFields(typeof(Tuple<,,,>))),
        Family.Members("System.Tuple`5", () => Family.WithFields(typeof(Tuple<,,,,>))),
        Family.Members("System.Tuple`6", () => Family.WithFields(typeof(Tuple<,,,,,>))),
        Family.Members("System.Tuple`7", () => Family.WithFields(typeof(Tuple<,,,,,,>))),
        Family.Members("System.Tuple`8", () => Family.WithFields(typeof(Tuple<,,,,,,,>))),
        Family.Members("System.ValueTuple", () => Family.WithFields(typeof(ValueTuple))),
        Family.Members("System.ValueTuple`1", () => Family.WithFields(typeof(ValueTuple<>))),
        Family.Members("System.ValueTuple`2", () => Family.WithFields(typeof(ValueTuple<,>))),
        Family.Members("System.ValueTuple`3", () => Family.WithFields(typeof(ValueTuple<,,>))),
        Family.Members("System.ValueTuple`4", () => Family.WithFields(typeof(ValueTuple<,,,>))),
        Family.Members("System.ValueTuple`5", () => Family.WithFields(typeof(ValueTuple<,,,,>))),
        Family.Members("System.ValueTuple`6", () => Family.WithFields(typeof(ValueTuple<,,,,,>))),
        Family.Members("System.ValueTuple`7", () => Family.WithFields(typeof(ValueTuple<,,,,,,>))),
        Family.Members("System.ValueTuple`8", () => Family.WithFields(typeof(ValueTuple<,,,,,,,>))),

        // The number, or its complement when it counts from the end.
        Family.Converted("System.Index", () => typeof(Index), registry => As<Index, int>(
            registry,
            value => value.IsFromEnd ? ~value.Value : value.Value,
            number => number < 0 ? Index.FromEnd(~number) : Index.FromStart(number))),
        Family.Members("System.Range", () => Family.WithFields(typeof(Range))),
        Family.Converted("System.Globalization.CultureInfo", () => typeof(CultureInfo), registry => As<CultureInfo, string>(
            registry, CultureConversion.To, CultureConversion.From)),
        Family.Converted("System.Globalization.CompareInfo", () => typeof(CompareInfo), registry => As<CompareInfo, string>(
            registry, CompareInfoConversion.To, CompareInfoConversion.From, isImmutable: true)),
        // Without its own class: a flag for the empty one, which is a singleton.
        Family.Converted("System.EventArgs", () => typeof(EventArgs), registry => As<EventArgs, bool>(
            registry, value => ReferenceEquals(value, EventArgs.Empty), isEmpty => isEmpty ? EventArgs.Empty : new EventArgs())),
        Family.Wrapper("System.Exception", () => typeof(Exception), () => typeof(ExceptionKind)),
        Family.Members("Wire.RemoteException", () => Family.WithFields(typeof(RemoteException))),

        Family.Converted("System.WeakReference", () => typeof(WeakReference), registry => As<WeakReference, WeakTarget<object>>(
            registry, value => new(value.Target, value.TrackResurrection), parts => new(parts.Target, parts.TracksResurrection))),
        Family.Written("System.WeakReference`1", () => typeof(WeakReference<>), () => typeof(WeakReferenceSerializer<>)),
        Family.Single("System.DBNull", () => typeof(DBNull), () => DBNull.Value),
        // As an argument of reflection, it would stand for one that is missing.
        new Family("System.Reflection.Missing", () => typeof(Missing), (_, _) => new SingleValueSerializer<Missing>(Missing.Value)),
        Family.Generic("System.Threading.CancellationToken", () => typeof(CancellationToken), () => typeof(CancellationTokenSerializer)),
    ];
}
