using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// The exceptions of .NET in native code, where reflection may not know the fields of a class: those here have none, or keep them.
/// </summary>
internal static class FrameworkExceptions
{
    private const DynamicallyAccessedMemberTypes Fields =
        DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields;

    /// <summary>Gets the full names of the classes that add no field to those of their bases.</summary>
    public static readonly string[] WithoutFields =
    [
        "Microsoft.CSharp.RuntimeBinder.RuntimeBinderException",
        "Microsoft.CSharp.RuntimeBinder.RuntimeBinderInternalCompilerException",
        "Microsoft.VisualBasic.CompilerServices.IncompleteInitialization",
        "System.AppDomainUnloadedException",
        "System.ApplicationException",
        "System.ArgumentNullException",
        "System.ArithmeticException",
        "System.ArrayTypeMismatchException",
        "System.CannotUnloadAppDomainException",
        "System.Collections.Generic.KeyNotFoundException",
        "System.ComponentModel.Design.CheckoutException",
        "System.ComponentModel.InvalidAsynchronousStateException",
        "System.ComponentModel.InvalidEnumArgumentException",
        "System.ContextMarshalException",
        "System.Data.Common.DbException",
        "System.Data.ConstraintException",
        "System.Data.DataException",
        "System.Data.DeletedRowInaccessibleException",
        "System.Data.DuplicateNameException",
        "System.Data.EvaluateException",
        "System.Data.InRowChangingEventException",
        "System.Data.InvalidConstraintException",
        "System.Data.InvalidExpressionException",
        "System.Data.MissingPrimaryKeyException",
        "System.Data.NoNullAllowedException",
        "System.Data.ReadOnlyException",
        "System.Data.RowNotInTableException",
        "System.Data.SqlTypes.SqlAlreadyFilledException",
        "System.Data.SqlTypes.SqlNotFilledException",
        "System.Data.SqlTypes.SqlNullValueException",
        "System.Data.SqlTypes.SqlTruncateException",
        "System.Data.SqlTypes.SqlTypeException",
        "System.Data.StrongTypingException",
        "System.Data.SyntaxErrorException",
        "System.Data.VersionNotFoundException",
        "System.DataMisalignedException",
        "System.Diagnostics.Tracing.EventSourceException",
        "System.Diagnostics.UnreachableException",
        "System.DivideByZeroException",
        "System.DllNotFoundException",
        "System.DuplicateWaitObjectException",
        "System.EntryPointNotFoundException",
        "System.ExecutionEngineException",
        "System.FieldAccessException",
        "System.FormatException",
        "System.Formats.Asn1.AsnContentException",
        "System.IO.DirectoryNotFoundException",
        "System.IO.DriveNotFoundException",
        "System.IO.EndOfStreamException",
        "System.IO.IOException",
        "System.IO.InternalBufferOverflowException",
        "System.IO.InvalidDataException",
        "System.IO.PathTooLongException",
        "System.IndexOutOfRangeException",
        "System.InsufficientExecutionStackException",
        "System.InsufficientMemoryException",
        "System.InvalidCastException",
        "System.InvalidOperationException",
        "System.InvalidProgramException",
        "System.InvalidTimeZoneException",
        "System.MemberAccessException",
        "System.MethodAccessException",
        "System.MissingFieldException",
        "System.MissingMethodException",
        "System.MulticastNotSupportedException",
        "System.Net.CookieException",
        "System.Net.HttpListenerException",
        "System.Net.NetworkInformation.NetworkInformationException",
        "System.Net.NetworkInformation.PingException",
        "System.Net.ProtocolViolationException",
        "System.NotImplementedException",
        "System.NotSupportedException",
        "System.NullReferenceException",
        "System.OutOfMemoryException",
        "System.OverflowException",
        "System.PlatformNotSupportedException",
        "System.RankException",
        "System.Reflection.AmbiguousMatchException",
        "System.Reflection.CustomAttributeFormatException",
        "System.Reflection.InvalidFilterCriteriaException",
        "System.Reflection.Metadata.ImageFormatLimitationException",
        "System.Reflection.TargetException",
        "System.Reflection.TargetInvocationException",
        "System.Reflection.TargetParameterCountException",
        "System.Resources.MissingManifestResourceException",
        "System.Runtime.AmbiguousImplementationException",
        "System.Runtime.InteropServices.COMException",
        "System.Runtime.InteropServices.ExternalException",
        "System.Runtime.InteropServices.InvalidComObjectException",
        "System.Runtime.InteropServices.InvalidOleVariantTypeException",
        "System.Runtime.InteropServices.JavaScript.JSException",
        "System.Runtime.InteropServices.MarshalDirectiveException",
        "System.Runtime.InteropServices.SEHException",
        "System.Runtime.InteropServices.SafeArrayRankMismatchException",
        "System.Runtime.InteropServices.SafeArrayTypeMismatchException",
        "System.Runtime.Serialization.InvalidDataContractException",
        "System.Runtime.Serialization.SerializationException",
        "System.Security.AccessControl.PrivilegeNotHeldException",
        "System.Security.Authentication.AuthenticationException",
        "System.Security.Authentication.InvalidCredentialException",
        "System.Security.Cryptography.AuthenticationTagMismatchException",
        "System.Security.Cryptography.CryptographicException",
        "System.Security.Cryptography.CryptographicUnexpectedOperationException",
        "System.Security.Cryptography.X509Certificates.Pkcs12LoadLimitExceededException",
        "System.Security.Principal.IdentityNotMappedException",
        "System.Security.VerificationException",
        "System.StackOverflowException",
        "System.SystemException",
        "System.Threading.BarrierPostPhaseException",
        "System.Threading.Channels.ChannelClosedException",
        "System.Threading.LockRecursionException",
        "System.Threading.SemaphoreFullException",
        "System.Threading.SynchronizationLockException",
        "System.Threading.Tasks.TaskSchedulerException",
        "System.Threading.ThreadAbortException",
        "System.Threading.ThreadInterruptedException",
        "System.Threading.ThreadStartException",
        "System.Threading.ThreadStateException",
        "System.Threading.WaitHandleCannotBeOpenedException",
        "System.TimeZoneNotFoundException",
        "System.TimeoutException",
        "System.Transactions.TransactionAbortedException",
        "System.Transactions.TransactionException",
        "System.Transactions.TransactionInDoubtException",
        "System.Transactions.TransactionManagerCommunicationException",
        "System.Transactions.TransactionPromotionException",
        "System.TypeAccessException",
        "System.TypeUnloadedException",
        "System.UnauthorizedAccessException",
        "System.UriFormatException",
        "System.Xml.Schema.XmlSchemaInferenceException",
        "System.Xml.Xsl.XsltCompileException",
    ];

    /// <summary>Returns whether a class that seems to have no fields may have some.</summary>
    [DynamicDependency(Fields, typeof(System.AccessViolationException))]
    [DynamicDependency(Fields, typeof(System.AggregateException))]
    [DynamicDependency(Fields, typeof(System.ArgumentException))]
    [DynamicDependency(Fields, typeof(System.ArgumentOutOfRangeException))]
    [DynamicDependency(Fields, typeof(System.BadImageFormatException))]
    [DynamicDependency(Fields, typeof(System.ComponentModel.Win32Exception))]
    [DynamicDependency(Fields, typeof(System.Globalization.CultureNotFoundException))]
    [DynamicDependency(Fields, typeof(System.IO.FileLoadException))]
    [DynamicDependency(Fields, typeof(System.IO.FileNotFoundException))]
    [DynamicDependency(Fields, typeof(System.MissingMemberException))]
    [DynamicDependency(Fields, typeof(System.NotFiniteNumberException))]
    [DynamicDependency(Fields, typeof(System.ObjectDisposedException))]
    [DynamicDependency(Fields, typeof(System.OperationCanceledException))]
    [DynamicDependency(Fields, typeof(System.Reflection.ReflectionTypeLoadException))]
    [DynamicDependency(Fields, typeof(System.Resources.MissingSatelliteAssemblyException))]
    [DynamicDependency(Fields, typeof(System.Runtime.CompilerServices.RuntimeWrappedException))]
    [DynamicDependency(Fields, typeof(System.Runtime.CompilerServices.SwitchExpressionException))]
    [DynamicDependency(Fields, typeof(System.Security.SecurityException))]
    [DynamicDependency(Fields, typeof(System.Text.DecoderFallbackException))]
    [DynamicDependency(Fields, typeof(System.Text.EncoderFallbackException))]
    [DynamicDependency(Fields, typeof(System.Threading.AbandonedMutexException))]
    [DynamicDependency(Fields, typeof(System.Threading.Tasks.TaskCanceledException))]
    [DynamicDependency(Fields, typeof(System.TypeInitializationException))]
    [DynamicDependency(Fields, typeof(System.TypeLoadException))]
    public static bool MayHideFields(Type type) =>
        !RuntimeFeature.IsDynamicCodeSupported && FrameworkAssemblies.Contains(type.Assembly) && !WithoutFields.Contains(type.FullName);
}
